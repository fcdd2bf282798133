/* SPDX-License-Identifier: MIT */
#include "analyzer/model/order.h"

struct model_order *model_order_new(bool calls)
{
	struct model_order *order = g_new0(struct model_order, 1);

	order->waits = mapped_array_new_unfailing(sizeof(struct model_wait));
	order->dependencies = mapped_array_new_unfailing(sizeof(struct model_dependency));
	if (calls)
		order->calls = mapped_array_new_unfailing(sizeof(struct model_call));
	return order;
}

void model_order_free(struct model_order *order)
{
	if (!order)
		return;
	mapped_array_free(order->waits);
	mapped_array_free(order->dependencies);
	mapped_array_free(order->calls);
	g_free(order);
}
