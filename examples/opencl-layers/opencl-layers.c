/* SPDX-License-Identifier: MIT */
/*
 * A small transformer in OpenCL whose layers have names, so that a report can tell what attention
 * costs and what the MLP costs.  The weights are random: the arithmetic is real, the words are not.
 */
#include <getopt.h>
#include <math.h>

#include <pwrtrace/pwrtrace.h>

#include "../opencl-example.h"

#define HEADS 4
#define MLP_FACTOR 4

struct sizes {
	cl_int blocks;
	cl_int steps;
	cl_int tokens;
	cl_int width;
};

/* Matrices of weights: [inputs][outputs]. */
struct block {
	cl_mem qkv;    /* [width][3 * width] */
	cl_mem output; /* [width][width] */
	cl_mem up;     /* [width][MLP_FACTOR * width] */
	cl_mem down;   /* [MLP_FACTOR * width][width] */
};

struct model {
	struct gpu gpu;
	struct sizes sizes;
	struct block *blocks;
	cl_kernel matmul, scores, softmax, context, gelu, add, norm;
	/* Activations: [tokens][...]. */
	cl_mem x;          /* width: the residual stream */
	cl_mem qkv;        /* 3 * width: query, key, value */
	cl_mem attention;  /* [HEADS][tokens][tokens] */
	cl_mem attended;   /* width */
	cl_mem hidden;     /* MLP_FACTOR * width */
	cl_mem projection; /* width */
};

static const char source[] =
	"kernel void matmul(global const float *a, global const float *b, global float *product,\n"
	"                   int inner)\n"
	"{\n"
	"	int column = get_global_id(0), columns = get_global_size(0);\n"
	"	int row = get_global_id(1);\n"
	"	float sum = 0;\n"
	"	for (int i = 0; i < inner; i++)\n"
	"		sum += a[row * inner + i] * b[i * columns + column];\n"
	"	product[row * columns + column] = sum;\n"
	"}\n"
	"kernel void attention_scores(global const float *qkv, global float *scores, int width,\n"
	"                             int head_width)\n"
	"{\n"
	"	int key = get_global_id(0), query = get_global_id(1), head = get_global_id(2);\n"
	"	int tokens = get_global_size(0);\n"
	"	global const float *q = qkv + query * 3 * width + head * head_width;\n"
	"	global const float *k = qkv + key * 3 * width + width + head * head_width;\n"
	"	float sum = 0;\n"
	"	for (int i = 0; i < head_width; i++)\n"
	"		sum += q[i] * k[i];\n"
	"	scores[(head * tokens + query) * tokens + key] = sum / sqrt((float)head_width);\n"
	"}\n"
	"kernel void softmax(global float *scores, int tokens)\n"
	"{\n"
	"	global float *row = scores + get_global_id(0) * tokens;\n"
	"	float largest = row[0], sum = 0;\n"
	"	for (int i = 1; i < tokens; i++)\n"
	"		largest = fmax(largest, row[i]);\n"
	"	for (int i = 0; i < tokens; i++)\n"
	"		sum += row[i] = exp(row[i] - largest);\n"
	"	for (int i = 0; i < tokens; i++)\n"
	"		row[i] /= sum;\n"
	"}\n"
	"kernel void attention_context(global const float *scores, global const float *qkv,\n"
	"                              global float *attended, int head_width)\n"
	"{\n"
	"	int column = get_global_id(0), width = get_global_size(0);\n"
	"	int query = get_global_id(1), tokens = get_global_size(1);\n"
	"	int head = column / head_width;\n"
	"	global const float *row = scores + (head * tokens + query) * tokens;\n"
	"	float sum = 0;\n"
	"	for (int i = 0; i < tokens; i++)\n"
	"		sum += row[i] * qkv[i * 3 * width + 2 * width + column];\n"
	"	attended[query * width + column] = sum;\n"
	"}\n"
	"kernel void gelu(global float *x)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	x[i] *= 0.5f * (1 + erf(x[i] * M_SQRT1_2_F));\n"
	"}\n"
	"kernel void residual_add(global float *x, global const float *y)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	x[i] += y[i];\n"
	"}\n"
	"kernel void layer_norm(global float *x, int width)\n"
	"{\n"
	"	global float *row = x + get_global_id(0) * width;\n"
	"	float mean = 0, variance = 0;\n"
	"	for (int i = 0; i < width; i++)\n"
	"		mean += row[i] / width;\n"
	"	for (int i = 0; i < width; i++)\n"
	"		variance += (row[i] - mean) * (row[i] - mean) / width;\n"
	"	for (int i = 0; i < width; i++)\n"
	"		row[i] = (row[i] - mean) * rsqrt(variance + 1e-5f);\n"
	"}\n";

#define LAUNCH(model, kernel, global, ...)                                                         \
	do {                                                                                       \
		const struct argument arguments[] = {__VA_ARGS__};                                 \
		gpu_launch(&(model)->gpu, (kernel), sizeof(global) / sizeof(*(global)), (global),  \
			sizeof(arguments) / sizeof(*arguments), arguments);                        \
	} while (0)

static void matmul(
	struct model *model, cl_mem a, cl_mem b, cl_mem product, cl_int inner, cl_int columns)
{
	const size_t global[] = {columns, model->sizes.tokens};

	LAUNCH(model, model->matmul, global, ARGUMENT(a), ARGUMENT(b), ARGUMENT(product),
		ARGUMENT(inner));
}

static void attention_scores(struct model *model)
{
	const cl_int tokens = model->sizes.tokens, width = model->sizes.width;
	const cl_int head_width = width / HEADS;
	const size_t every_pair[] = {tokens, tokens, HEADS};
	const size_t every_row[] = {(size_t)HEADS * tokens};

	LAUNCH(model, model->scores, every_pair, ARGUMENT(model->qkv), ARGUMENT(model->attention),
		ARGUMENT(width), ARGUMENT(head_width));
	LAUNCH(model, model->softmax, every_row, ARGUMENT(model->attention), ARGUMENT(tokens));
}

static void attention_context(struct model *model)
{
	const cl_int head_width = model->sizes.width / HEADS;
	const size_t global[] = {model->sizes.width, model->sizes.tokens};

	LAUNCH(model, model->context, global, ARGUMENT(model->attention), ARGUMENT(model->qkv),
		ARGUMENT(model->attended), ARGUMENT(head_width));
}

static void gelu(struct model *model, cl_mem x, size_t elements)
{
	const size_t global[] = {elements};

	LAUNCH(model, model->gelu, global, ARGUMENT(x));
}

static void add_and_norm(struct model *model)
{
	const cl_int tokens = model->sizes.tokens, width = model->sizes.width;
	const size_t every_element[] = {(size_t)tokens * width};
	const size_t every_row[] = {tokens};

	LAUNCH(model, model->add, every_element, ARGUMENT(model->x), ARGUMENT(model->projection));
	LAUNCH(model, model->norm, every_row, ARGUMENT(model->x), ARGUMENT(width));
}

static void attention(struct model *model, const struct block *block)
{
	const cl_int width = model->sizes.width;

	pwrtrace_push("attention");

	pwrtrace_push("qkv");
	matmul(model, model->x, block->qkv, model->qkv, width, 3 * width);
	pwrtrace_pop();

	pwrtrace_push("scores");
	attention_scores(model);
	pwrtrace_pop();

	pwrtrace_push("context");
	attention_context(model);
	pwrtrace_pop();

	pwrtrace_push("output");
	matmul(model, model->attended, block->output, model->projection, width, width);
	pwrtrace_pop();

	add_and_norm(model);
	pwrtrace_pop();
}

static void mlp(struct model *model, const struct block *block)
{
	const cl_int width = model->sizes.width, hidden = MLP_FACTOR * width;

	pwrtrace_push("mlp");

	pwrtrace_push("up");
	matmul(model, model->x, block->up, model->hidden, width, hidden);
	gelu(model, model->hidden, (size_t)model->sizes.tokens * hidden);
	pwrtrace_pop();

	pwrtrace_push("down");
	matmul(model, model->hidden, block->down, model->projection, hidden, width);
	pwrtrace_pop();

	add_and_norm(model);
	pwrtrace_pop();
}

static void step(struct model *model)
{
	char name[32];

	for (cl_int i = 0; i < model->sizes.blocks; i++) {
		snprintf(name, sizeof(name), "block %d", i);
		pwrtrace_push(name);
		attention(model, &model->blocks[i]);
		mlp(model, &model->blocks[i]);
		pwrtrace_pop();
	}
	gpu_finish(&model->gpu);
	pwrtrace_mark("tokens", model->sizes.tokens, "token");
}

/* Returns a new matrix of uniform random elements whose variance is 1 / rows, so that a product
 * with it is as large as what it is multiplied with. */
static cl_mem random_matrix(struct model *model, size_t rows, size_t columns)
{
	const size_t bytes = rows * columns * sizeof(float);
	const float bound = sqrtf(3.0f / rows);
	float *elements = malloc(bytes);
	cl_mem matrix = gpu_buffer(&model->gpu, bytes);

	if (!elements)
		die("out of memory; choose smaller --tokens or --width");
	for (size_t i = 0; i < rows * columns; i++)
		elements[i] = bound * (2.0f * rand() / (float)RAND_MAX - 1);
	gpu_write(&model->gpu, matrix, elements, bytes);
	free(elements);
	return matrix;
}

static cl_mem activations(const struct model *model, size_t columns)
{
	return gpu_buffer(&model->gpu, model->sizes.tokens * columns * sizeof(float));
}

static void create_kernels(struct model *model)
{
	model->matmul = gpu_kernel(&model->gpu, "matmul");
	model->scores = gpu_kernel(&model->gpu, "attention_scores");
	model->softmax = gpu_kernel(&model->gpu, "softmax");
	model->context = gpu_kernel(&model->gpu, "attention_context");
	model->gelu = gpu_kernel(&model->gpu, "gelu");
	model->add = gpu_kernel(&model->gpu, "residual_add");
	model->norm = gpu_kernel(&model->gpu, "layer_norm");
}

static struct model create_model(const struct sizes *sizes)
{
	const size_t width = sizes->width, hidden = MLP_FACTOR * width;
	struct model model = {.gpu = gpu_open(source), .sizes = *sizes};

	create_kernels(&model);
	model.x = random_matrix(&model, sizes->tokens, width);
	model.qkv = activations(&model, 3 * width);
	model.attention = activations(&model, (size_t)HEADS * sizes->tokens);
	model.attended = activations(&model, width);
	model.hidden = activations(&model, hidden);
	model.projection = activations(&model, width);

	model.blocks = calloc(sizes->blocks, sizeof(*model.blocks));
	if (!model.blocks)
		die("out of memory; choose smaller --blocks");
	for (cl_int i = 0; i < sizes->blocks; i++)
		model.blocks[i] = (struct block){
			.qkv = random_matrix(&model, width, 3 * width),
			.output = random_matrix(&model, width, width),
			.up = random_matrix(&model, width, hidden),
			.down = random_matrix(&model, hidden, width),
		};
	return model;
}

/* The last kernel was a layer norm: the mean square of its result is 1, whatever the weights. */
static void verify(struct model *model)
{
	const size_t elements = (size_t)model->sizes.tokens * model->sizes.width;
	float *x = malloc(elements * sizeof(*x));
	double mean_square = 0;

	if (!x)
		die("out of memory; choose smaller --tokens or --width");
	gpu_read(&model->gpu, model->x, x, elements * sizeof(*x));
	for (size_t i = 0; i < elements; i++)
		mean_square += (double)x[i] * x[i] / elements;
	free(x);
	if (!(fabs(mean_square - 1) < 0.01))
		die("wrong result: the mean square of the last layer norm is %g, not 1",
			mean_square);
}

static void delete_model(struct model *model)
{
	const cl_kernel kernels[] = {model->matmul, model->scores, model->softmax, model->context,
		model->gelu, model->add, model->norm};
	const cl_mem activation[] = {model->x, model->qkv, model->attention, model->attended,
		model->hidden, model->projection};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		clReleaseKernel(kernels[i]);
	for (size_t i = 0; i < sizeof(activation) / sizeof(*activation); i++)
		clReleaseMemObject(activation[i]);
	for (cl_int i = 0; i < model->sizes.blocks; i++) {
		clReleaseMemObject(model->blocks[i].qkv);
		clReleaseMemObject(model->blocks[i].output);
		clReleaseMemObject(model->blocks[i].up);
		clReleaseMemObject(model->blocks[i].down);
	}
	free(model->blocks);
	gpu_close(&model->gpu);
}

static struct sizes parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{"blocks", required_argument, NULL, 'b'},
		{"steps", required_argument, NULL, 's'},
		{"tokens", required_argument, NULL, 't'},
		{"width", required_argument, NULL, 'w'},
		{0},
	};
	struct sizes sizes = {.blocks = 2, .steps = 20, .tokens = 64, .width = 256};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'b':
			sizes.blocks = number_option("blocks", optarg, 1, 1000);
			break;
		case 's':
			sizes.steps = number_option("steps", optarg, 1, 1e9);
			break;
		case 't':
			sizes.tokens = number_option("tokens", optarg, 1, 4096);
			break;
		case 'w':
			sizes.width = number_option("width", optarg, HEADS, 8192);
			break;
		default:
			exit(2);
		}
	}
	if (optind < argc || sizes.width % HEADS) {
		fprintf(stderr,
			"usage: opencl-layers [--blocks N] [--steps N] [--tokens N] [--width N]; "
			"the width is a multiple of %d\n",
			HEADS);
		exit(2);
	}
	return sizes;
}

int main(int argc, char **argv)
{
	const struct sizes sizes = parse_options(argc, argv);
	struct model model = create_model(&sizes);

	for (cl_int i = 0; i < sizes.steps; i++)
		step(&model);
	verify(&model);
	delete_model(&model);
	return 0;
}
