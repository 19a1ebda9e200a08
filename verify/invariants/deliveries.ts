import type { Received } from '../../simulators/channels/server.ts';
import type { Query } from './snapshot.ts';

interface Delivery {
  id: string;
  /** The id that the endpoint gets at each attempt. */
  sent_as: string;
  destination_id: string;
  notification_id: string;
}

const WEBHOOKS = `select d.id::text, d.destination_id::text, d.notification_id::text,
    'msg_' || d.id || '_' || (extract(epoch from n.created_at) * 1000)::bigint as sent_as
  from deliveries d join notifications n on n.id = d.notification_id
  where d.channel = 'webhook' order by d.destination_id, d.notification_id`;

/** Each webhook arrives at least once, under one id, and the first time in the order of its destination's notifications. */
export async function checkDeliveries(query: Query, received: readonly Received[]): Promise<string[]> {
  const deliveries = await query<Delivery>(WEBHOOKS);
  const accepted = received.filter(({ service, status }) => service === 'webhook' && status === 204);
  const firsts = [...new Set(accepted.map(({ headers }) => headers['webhook-id'] ?? ''))];
  const known = new Map(deliveries.map((one) => [one.sent_as, one]));
  const wrong = received.flatMap(({ problem }) =>
    problem === null ? [] : [`a webhook was wrong: ${problem}`],
  );
  wrong.push(...firsts.filter((id) => !known.has(id)).map((id) => `webhook ${id} is no delivery`));
  wrong.push(
    ...deliveries
      .filter(({ sent_as }) => !firsts.includes(sent_as))
      .map(({ id }) => `webhook ${id} never arrived`),
  );
  const arrived = firsts.flatMap((id) => known.get(id) ?? []);
  for (const own of Map.groupBy(arrived, ({ destination_id }) => destination_id).values())
    own.forEach(({ id, notification_id }, index) => {
      const before = own[index - 1];
      if (before !== undefined && Number(before.notification_id) > Number(notification_id))
        wrong.push(`webhook ${id} arrived after ${before.id}`);
    });
  return wrong;
}
