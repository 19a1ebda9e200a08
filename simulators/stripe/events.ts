import type { Account } from './account.ts';
import { newId } from './ids.ts';
import type { EventType, StripeEvent } from './objects.ts';
import { API_VERSION } from './objects.ts';

/** Fields that are only there for those who ask for them by `expand`. */
export const INCLUDABLE: Record<string, readonly string[]> = {
  'checkout.session': ['line_items'],
  invoice: ['payments'],
};

/** A copy as the API shows it to somebody who expands nothing. */
export function snapshot<T extends { object: string }>(object: T): T {
  const copy = JSON.parse(JSON.stringify(object)) as T & Record<string, unknown>;
  const hidden = INCLUDABLE[object.object] ?? [];
  return Object.fromEntries(Object.entries(copy).filter(([name]) => !hidden.includes(name))) as T;
}

export function emit(
  account: Account,
  type: EventType,
  object: { object: string },
  previous?: object,
): StripeEvent {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: account.now(),
    data: {
      object: snapshot(object),
      ...(previous === undefined
        ? {}
        : { previous_attributes: JSON.parse(JSON.stringify(previous)) as object }),
    },
    livemode: false,
    pending_webhooks: 0,
    request: { ...account.request },
    type,
  };
  account.events.set(event.id, event);
  account.onEvent(event);
  return event;
}

/** Changes an object and says so, naming what was there before. Nothing changed: nothing is said. */
export function change<T extends { object: string }>(
  account: Account,
  type: EventType,
  object: T,
  fields: Partial<T>,
): void {
  const before = new Map(Object.entries(snapshot(object)));
  Object.assign(object, fields);
  const after = Object.entries(snapshot(object));
  const changed = after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)));
  if (changed.length === 0) return;
  const previous = Object.fromEntries(changed.map(([name]) => [name, before.get(name) ?? null]));
  emit(account, type, object, previous);
}
