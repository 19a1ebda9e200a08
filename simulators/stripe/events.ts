import type { Account } from './account.ts';
import { newId } from './ids.ts';
import type { EventType, StripeEvent } from './objects.ts';
import { API_VERSION } from './objects.ts';

function copy<T extends object>(object: T): T {
  return JSON.parse(JSON.stringify(object)) as T;
}

export function emit(account: Account, type: EventType, object: object, previous?: object): void {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: account.now(),
    data: {
      object: copy(object),
      ...(previous === undefined ? {} : { previous_attributes: copy(previous) }),
    },
    livemode: false,
    pending_webhooks: account.webhooks.size,
    request: { ...account.request },
    type,
  };
  account.events.set(event.id, event);
  account.onEvent(event);
}

/** Changes an object and emits an event with the previous values. Without a change there is no event. */
export function change<T extends object>(
  account: Account,
  type: EventType,
  object: T,
  fields: Partial<T>,
): void {
  const before = new Map<string, unknown>(Object.entries(copy<object>(object)));
  Object.assign(object, fields);
  const after = Object.entries(copy<object>(object)) as [string, unknown][];
  const changed = after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)));
  if (changed.length === 0) return;
  emit(account, type, object, Object.fromEntries(changed.map(([name]) => [name, before.get(name) ?? null])));
}
