/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/fit_response.h"

#include "analyzer/response/ablation.h"

/* The sensor that was calibrated: the fit's own, or one of its kind. */
static const struct model_sensor *calibrated_sensor(const struct source *source)
{
	const struct model_sensor *sensor = source->sensor;

	for (guint i = 0; !sensor->taps->len && i < source->alike->len; i++)
		sensor = ((const struct source *)g_ptr_array_index(source->alike, i))->sensor;
	return sensor;
}

/* Finds the response from the readings of several sensors of one kind, where a sensor's own leave
 * it uncertain. */
static void find_together(struct fit *fit, const struct model *model, struct find_input own)
{
	struct find_input inputs[FIND_TOGETHER_MAX] = {own};
	struct classes *classes[FIND_TOGETHER_MAX];
	GArray *readings[FIND_TOGETHER_MAX];
	guint count = 1;

	for (guint i = 0; i < fit->source->alike->len && count < FIND_TOGETHER_MAX; i++) {
		const struct source *other = g_ptr_array_index(fit->source->alike, i);

		readings[count] = readings_of(other, NULL);
		classes[count] = classes_of(model, other);
		inputs[count] = (struct find_input){
			&classes[count]->columns, other->sensor, readings[count], NULL};
		if (classes[count]->list->len && readings[count]->len >= FIND_READINGS_MIN) {
			count++;
		} else {
			classes_free(classes[count]);
			g_array_free(readings[count], TRUE);
		}
	}
	fit->found = response_find_together(inputs, count);
	for (guint i = 1; i < count; i++) {
		classes_free(classes[i]);
		g_array_free(readings[i], TRUE);
	}
}

void fit_set_response(struct fit *fit, const struct model *model, const GArray *readings,
	const double *weight, bool of_others)
{
	const struct model_sensor *sensor = calibrated_sensor(fit->source);
	const struct found_response found = fit->found;
	const struct find_input input = {&fit->classes->columns, fit->source->sensor, readings,
		remembered_response(fit->remembered)};
	const struct earlier_fit earlier = {fit->power_w, weight, &found,
		influences_factors(&fit->influences),
		fit->influences.count && fit->influences.list[0].kind->fades, of_others};

	if (response_of_taps(&fit->response, sensor->taps)) {
		fit->found = (struct found_response){
			.origin = RESPONSE_CALIBRATED, .calibrated = sensor->calibrated};
		return;
	}
	fit->found = response_find(&input, weight ? &earlier : NULL);
	if (!weight && (fit->found.others || fit->classes->columns.count > FIND_COLUMNS) &&
		fit->source->alike->len && !ablated(ABLATION_TOGETHER))
		find_together(fit, model, input);
	response_of_shape(&fit->response, &fit->found.shape);
}
