/* SPDX-License-Identifier: MIT */
/*
 * What a fit tells of its classes' powers: its posterior without what other fits assume, too.
 *
 * That is the prior; but a class that was measured is told as it was found, since other fits no
 * longer go by its size.  The prior takes classes to be independent.  An error that all of them
 * have in common, such as that of how much less replays draw, is large by that measure; what
 * remained without the prior would be a multiple of what was found.
 *
 * In units of the prior's deviations, U = D (posterior covariance) D with D² = the prior's
 * precisions has an eigenvector u for each sum of powers, and an eigenvalue v: the part of the
 * prior's variance that the readings have left.  They have told 1/v - 1 of that sum, which is a row
 * of the message.
 */
#include <math.h>
#include <string.h>

#include "analyzer/library/clocks.h"
#include "analyzer/library/library.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/regress/design/medians.h"

#define TOLD_LEAST 0.01            /* of the prior's precision: less moves no other report */
#define COMPUTE_BOUND_EXPONENT 2.5 /* of power by the clock, where the fit has none */
#define NO_PRIOR 100.              /* deviations: as good as no prior */
#define CLASSES_MAX 400            /* of a message, the longest: its size is the square of this */

/* ---- which classes ---- */

static bool is_told(const struct model *model, const struct kernel_class *class)
{
	return !class->rare && !origin_is_unlike(class->origin) &&
	       *library_work_of(model, class->origin).kind;
}

struct told_class {
	guint class_index;
	double time_ns;
};

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct told_class *x = a, *y = b;

	return x->time_ns > y->time_ns ? -1 : x->time_ns < y->time_ns;
}

static int by_index(gconstpointer a, gconstpointer b)
{
	const struct told_class *x = a, *y = b;

	return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

/* struct told_class, in the order of the fit's classes.  The caller frees the array. */
static GArray *told_classes(const struct model *model, const struct fit *fit)
{
	GArray *told = g_array_new(FALSE, FALSE, sizeof(struct told_class));

	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		const struct told_class row = {i, class->time_ns};

		if (is_told(model, class))
			g_array_append_val(told, row);
	}
	if (told->len > CLASSES_MAX) {
		g_array_sort(told, by_time);
		g_array_set_size(told, CLASSES_MAX);
		g_array_sort(told, by_index);
	}
	return told;
}

/* ---- what is known of each ---- */

/* The influence of how fast each execution ran, if the fit has found it. */
static const struct influence *speed_of(const struct fit *fit)
{
	for (guint i = 0; i < fit->influences.count; i++) {
		const struct influence *influence = &fit->influences.list[i];

		if (influence->kind->speeds && !influence->kind->field)
			return influence;
	}
	return NULL;
}

/* How closely durations follow the clock; NaN: not known. Where power follows the speed, durations
 * stand for the clock. */
static double follows_of(const struct fit *fit, guint class_index)
{
	if (speed_of(fit))
		return 1;
	return fit->clock ? clock_field_follows(fit->clock, class_index) : NAN;
}

/* Of power by the clock, or by the speed that stands for it; NaN: not known. */
static double exponent_of(const struct fit *fit, guint class_index)
{
	const struct influence *speed = speed_of(fit);

	if (speed)
		return speed->parameter;
	if (fit->clock_exponent)
		return fit->clock_exponent[class_index];
	return fit->clock ? influence_exponent(fit->clock, class_index, COMPUTE_BOUND_EXPONENT)
			  : NAN;
}

/* The standard deviation of a class's power. */
static double deviation_of(const struct fit *fit, uint32_t column)
{
	return sqrt(MAX(fit->covariance[column * fit->powers + column], 0));
}

/* What other fits are taken to assume of a class. */
static struct class_prior prior_of(const struct fit *fit, uint32_t column)
{
	double deviation_w = deviation_of(fit, column), no_prior_w = NO_PRIOR * deviation_w;

	if (!(deviation_w > 0 &&
		    deviation_w * sqrt(fit->prior[column].precision) < LIBRARY_MEASURED))
		return fit->prior[column];
	return (struct class_prior){fit->power_w[column], 1 / (no_prior_w * no_prior_w)};
}

static void add_class(struct library *library, struct library_message *message,
	const struct model *model, const struct fit *fit, guint class_index)
{
	const struct kernel_class *class =
		&g_array_index(fit->classes->list, struct kernel_class, class_index);
	struct class_prior prior = prior_of(fit, class->column);
	struct library_class added = {.work = library_work_of(model, class->origin),
		.executions = class->executions,
		.clock_mhz = NAN,
		.follows = follows_of(fit, class_index),
		.exponent = exponent_of(fit, class_index),
		.dynamic_w = fit->power_w[class->column],
		.deviation_w = deviation_of(fit, class->column),
		.prior_w = prior.mean_w,
		.prior_deviation_w = 1 / sqrt(prior.precision)};

	added.work.kind = library_text(library, added.work.kind);
	added.work.name = library_text(library, added.work.name);
	g_array_append_val(message->classes, added);
}

static struct library_class *class_at(const struct library_message *message, guint i)
{
	return &g_array_index(message->classes, struct library_class, i);
}

static void add_times(struct library_message *message, const struct model *model,
	const struct fit *fit, const GArray *told)
{
	double *medians = medians_of(model, fit->classes, 0, model->executions->len);
	struct library_clock *clocks = library_clocks(model, fit->classes);

	for (guint i = 0; i < told->len; i++) {
		struct library_class *class = class_at(message, i);
		guint own = g_array_index(told, struct told_class, i).class_index;

		class->median_ns = medians[own];
		/* The duration at which an execution draws the power of its class. */
		class->mean_ns = speed_of(fit) ? medians[own] : clocks[own].mean_ns;
		if (clocks[own].mhz > 0)
			class->clock_mhz = clocks[own].mhz;
	}
	g_free(medians);
	g_free(clocks);
}

/* ---- the message ---- */

static uint32_t column_of(const struct fit *fit, const GArray *told, guint i)
{
	return g_array_index(fit->classes->list, struct kernel_class,
		g_array_index(told, struct told_class, i).class_index)
		.column;
}

/* Sets a row by its eigenvector and eigenvalue; returns whether it tells anything. */
static bool add_row(struct library_message *message, const double *vector, double left)
{
	guint count = message->classes->len;
	double *part = message->part + (gsize)message->rows * count;
	double told_part = 1 / left - 1, estimate = 0, assumed = 0;

	if (!(left > 0) || told_part < TOLD_LEAST)
		return false;
	for (guint i = 0; i < count; i++) {
		const struct library_class *class = class_at(message, i);
		double scale = vector[i] / class->prior_deviation_w;

		estimate += scale * class->dynamic_w;
		assumed += scale * class->prior_w;
		part[i] = sqrt(told_part) * scale;
	}
	message->sum[message->rows++] = (estimate / left - assumed) / sqrt(told_part);
	return true;
}

static void add_rows(struct library_message *message, const struct fit *fit, const GArray *told)
{
	guint n = told->len;
	double *left = g_new(double, (gsize)n *n + 1), *value = g_new(double, n + 1);

	message->part = g_new0(double, (gsize)n *n + 1);
	message->sum = g_new0(double, n + 1);
	for (guint i = 0; i < n; i++)
		for (guint k = 0; k < n; k++) {
			uint32_t a = column_of(fit, told, i), b = column_of(fit, told, k);

			left[i * n + k] = fit->covariance[a * fit->powers + b] /
					  (class_at(message, i)->prior_deviation_w *
						  class_at(message, k)->prior_deviation_w);
		}
	if (solve_eigen(n, left, value))
		for (guint i = 0; i < n && add_row(message, left + (gsize)i * n, value[i]); i++)
			;
	g_free(left);
	g_free(value);
}

struct library_message *library_tell(
	struct library *library, const struct model *model, const struct fit *fit)
{
	const struct model_gpu *gpu = library_gpu(model, fit->source);
	const struct model_sensor *sensor = fit->source->sensor;
	GArray *told = told_classes(model, fit);
	struct library_message *message = library_message_new();
	char *id = library_id(fit->source);

	message->id = library_text(library, id);
	message->program = library_text(library, fit->source->recording->command);
	message->device = library_text(library, gpu ? gpu->name : "");
	message->board = library_text(library, gpu ? gpu->uuid : "");
	message->driver = library_text(library, sensor->driver);
	message->source = library_text(library, sensor->source);
	message->domain = library_text(library, sensor->domain);
	message->has_response =
		fit->found.origin == RESPONSE_FOUND && !fit->found.others && !fit->found.at_edge;
	message->response = fit->found.shape;
	for (guint i = 0; i < told->len; i++)
		add_class(library, message, model, fit,
			g_array_index(told, struct told_class, i).class_index);
	add_times(message, model, fit, told);
	add_rows(message, fit, told);
	g_array_free(told, TRUE);
	g_free(id);
	if (message->rows)
		return message;
	library_message_free(message);
	return NULL;
}
