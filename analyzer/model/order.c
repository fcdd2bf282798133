/* SPDX-License-Identifier: MIT */
#include "analyzer/model/order.h"

struct model_order *model_order_new(bool correlations)
{
	struct model_order *order = g_new0(struct model_order, 1);

	order->waits = mapped_array_new_unfailing(sizeof(struct model_wait));
	order->dependencies = mapped_array_new_unfailing(sizeof(struct model_dependency));
	if (correlations)
		order->correlations = mapped_array_new_unfailing(sizeof(uint32_t));
	return order;
}

void model_order_free(struct model_order *order)
{
	if (!order)
		return;
	mapped_array_free(order->waits);
	mapped_array_free(order->dependencies);
	mapped_array_free(order->correlations);
	g_free(order);
}
