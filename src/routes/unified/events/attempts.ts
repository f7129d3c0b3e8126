import type { Delivery, RecordedAttempt } from '../../../core/store/webhooks.ts'
import type { Store } from '../../../core/store/index.ts'
import type { ListedDeliveryView } from '../../../core/api/webhooks.ts'
import { attemptView, deliveryView } from './views.ts'

/** How the deliveries of a page are shown: with `expand=attempts` each has its latest ones, read for all at once. */
export const deliveriesShown = async (
  store: Pick<Store, 'latestAttempts'>,
  page: readonly { delivery: Delivery }[],
  expand: 'attempts' | undefined,
): Promise<(delivery: Delivery) => ListedDeliveryView> => {
  if (expand === undefined) return deliveryView
  const attempts: ReadonlyMap<string, readonly RecordedAttempt[]> =
    page.length === 0 ? new Map() : await store.latestAttempts(page.map(({ delivery }) => delivery.id))
  return (delivery) => ({
    ...deliveryView(delivery),
    attempts: (attempts.get(delivery.id) ?? []).map(attemptView),
  })
}
