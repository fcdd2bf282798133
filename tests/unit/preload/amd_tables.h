/* SPDX-License-Identifier: MIT */
/*
 * AMD's tables of metrics, gpu_metrics of sysfs: the members in the order in which the kernel
 * declares them (kgd_pp_interface.h); where they lie is the compiler's matter.
 */
#ifndef PWRTRACE_TESTS_AMD_TABLES_H
#define PWRTRACE_TESTS_AMD_TABLES_H

#include <stdint.h>

#define HEADER                                                                                     \
	uint16_t structure_size;                                                                   \
	uint8_t format, content;
#define CLOCKS(kind)                                                                               \
	uint16_t kind##_gfx, kind##_soc, kind##_u, kind##_v0, kind##_d0, kind##_v1, kind##_d1;
#define TEMPERATURES uint16_t edge, temperature, mem, vrgfx, vrsoc, vrmem;
#define ACTIVITY uint16_t gfx_activity, umc_activity, mm_activity, socket;
#define TAIL                                                                                       \
	uint32_t throttle_status;                                                                  \
	uint16_t fan, pcie_width, pcie_speed, padding;                                             \
	uint32_t gfx_acc, mem_acc;                                                                 \
	uint16_t hbm[4];

struct v1_0 {
	HEADER uint64_t system_clock;
	TEMPERATURES ACTIVITY uint32_t energy;
	CLOCKS(average) CLOCKS(current) uint32_t throttle_status;
	uint16_t fan;
	uint8_t pcie_width, pcie_speed;
};

struct v1_1 {
	HEADER TEMPERATURES ACTIVITY uint64_t energy, system_clock;
	CLOCKS(average) CLOCKS(current) TAIL
};

struct v1_2 {
	HEADER TEMPERATURES ACTIVITY uint64_t energy, system_clock;
	CLOCKS(average) CLOCKS(current) TAIL uint64_t stamp;
};

struct v1_3 {
	HEADER TEMPERATURES ACTIVITY uint64_t energy, system_clock;
	CLOCKS(average) CLOCKS(current) TAIL uint64_t stamp;
	uint16_t voltage[3], padding1;
	uint64_t throttle;
};

#define SOCKET uint16_t temperature, mem, vrsoc, socket, gfx_activity, umc_activity;
#define LINKS                                                                                      \
	uint16_t pcie_width, pcie_speed, xgmi_width, xgmi_speed;                                   \
	uint32_t gfx_acc, mem_acc;                                                                 \
	uint64_t bandwidth_acc, bandwidth, l0_to_recov, replay, replay_rover;
#define NAKS uint32_t nak_sent, nak_rcvd;
#define XGMI uint64_t xgmi_read[8], xgmi_write[8];
#define XCC_CLOCKS uint16_t current_gfx[8], current_soc[4], vclk0[4], dclk0[4], current_u;
#define RESIDENCIES uint32_t accumulation, residency[5];

struct v1_4 {
	HEADER SOCKET uint16_t vcn[4];
	uint64_t energy, system_clock;
	uint32_t throttle_status, locks;
	LINKS XGMI uint64_t stamp;
	XCC_CLOCKS uint16_t padding;
};

struct v1_5 {
	HEADER SOCKET uint16_t vcn[4], jpeg[32];
	uint64_t energy, system_clock;
	uint32_t throttle_status, locks;
	LINKS NAKS XGMI uint64_t stamp;
	XCC_CLOCKS uint16_t padding;
};

struct v1_6_of_6_10 {
	HEADER SOCKET uint16_t vcn[4], jpeg[32];
	uint64_t energy, system_clock;
	RESIDENCIES uint32_t throttle_status, locks;
	LINKS NAKS XGMI uint64_t stamp;
	XCC_CLOCKS uint16_t padding;
};

struct xcp {
	uint32_t gfx_busy[8];
	uint16_t jpeg_busy[32], vcn_busy[4];
	uint64_t gfx_busy_acc[8];
};

struct v1_6 {
	HEADER SOCKET uint64_t energy, system_clock;
	RESIDENCIES uint32_t locks;
	LINKS NAKS XGMI uint64_t stamp;
	XCC_CLOCKS uint16_t partitions;
	struct xcp xcp[8];
	uint32_t other_end_recovery;
};

struct xcp_1 {
	uint32_t gfx_busy[8];
	uint16_t jpeg_busy[40], vcn_busy[4];
	uint64_t gfx_busy_acc[8], below_host_limit[8];
};

struct v1_7 {
	HEADER SOCKET uint64_t bandwidth_max, energy, system_clock;
	RESIDENCIES uint32_t locks;
	LINKS NAKS XGMI uint16_t xgmi_status[8], padding;
	uint64_t stamp;
	XCC_CLOCKS uint16_t partitions;
	struct xcp_1 xcp[8];
	uint32_t other_end_recovery;
};

#define APU_TEMPERATURES uint16_t temperature, soc, core[8], l3[2], gfx_activity, mm_activity;
#define APU_POWERS uint16_t socket, cpu, soc_power, gfx, core_power[8];
#define APU_CLOCKS                                                                                 \
	uint16_t average_gfx, average_soc, average_u, average_f, average_v, average_d,             \
		current_gfx, current_soc, current_u, current_f, current_v, current_d,              \
		core_clock[8], l3_clock[2];                                                        \
	uint32_t throttle_status;                                                                  \
	uint16_t fan;

struct v2_0 {
	HEADER uint64_t system_clock;
	APU_TEMPERATURES APU_POWERS APU_CLOCKS uint16_t padding;
};

struct v2_1 {
	HEADER APU_TEMPERATURES uint64_t system_clock;
	APU_POWERS APU_CLOCKS uint16_t padding[3];
};

struct v2_2 {
	HEADER APU_TEMPERATURES uint64_t system_clock;
	APU_POWERS APU_CLOCKS uint16_t padding[3];
	uint64_t throttle;
};

struct v2_3 {
	HEADER APU_TEMPERATURES uint64_t system_clock;
	APU_POWERS APU_CLOCKS uint16_t padding[3];
	uint64_t throttle;
	uint16_t average_temperature[12];
};

struct v2_4 {
	HEADER APU_TEMPERATURES uint64_t system_clock;
	APU_POWERS APU_CLOCKS uint16_t padding[3];
	uint64_t throttle;
	uint16_t average_temperature[12], voltage[3], current[3];
};

struct v3_0 {
	HEADER uint16_t temperature, soc, core[16], skin, gfx_activity, vcn, ipu[8], c0[16], reads,
		writes, ipu_reads, ipu_writes;
	uint64_t system_clock;
	uint32_t socket;
	uint16_t ipu_power;
	uint32_t apu, gfx, dgpu, cpu;
	uint16_t core_power[16], system, stapm_limit, current_stapm_limit, current_gfx, average_soc,
		vpe, ipu_clock, average_f, average_v, current_u, mpipu, core_clock[16], core_max,
		gfx_max;
	uint32_t residency[7], alpha;
};

#endif
