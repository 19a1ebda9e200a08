import type { Account } from '../account.ts';
import { invalid } from '../errors.ts';
import { INCLUDABLE } from '../events.ts';

type Json = Record<string, unknown>;

const MAX_DEPTH = 4;

/** The copy that is sent: ids are replaced by their objects where the caller asked for it. */
export function expand(account: Account, answer: object, paths: readonly string[]): object {
  const copy = JSON.parse(JSON.stringify(answer)) as Json;
  hideIncludable(copy, paths);
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > MAX_DEPTH)
      throw invalid(
        `You cannot expand more than ${MAX_DEPTH} levels of a property. Property: ${path}`,
        'expand',
      );
    expandAt(account, copy, { parts, path });
  }
  return copy;
}

function hideIncludable(value: unknown, paths: readonly string[], at = ''): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) hideIncludable(item, paths, at);
    return;
  }
  const object = value as Json;
  for (const name of INCLUDABLE[String(object['object'])] ?? []) {
    const path = `${at}${name}`;
    if (!paths.some((one) => one === path || one.startsWith(`${path}.`)))
      Reflect.deleteProperty(object, name);
  }
  for (const [name, inner] of Object.entries(object)) hideIncludable(inner, paths, `${at}${name}.`);
}

function expandAt(account: Account, value: unknown, wish: { parts: string[]; path: string }): void {
  if (Array.isArray(value)) {
    for (const item of value) expandAt(account, item, wish);
    return;
  }
  const [name = '', ...rest] = wish.parts;
  if (typeof value !== 'object' || value === null) return;
  const object = value as Json;
  if (!(name in object)) throw invalid(`This property cannot be expanded (${wish.path}).`, 'expand');
  const found = object[name];
  if (typeof found === 'string') object[name] = objectOf(account, found, { path: wish.path, rest });
  if (rest.length > 0) expandAt(account, object[name], { ...wish, parts: rest });
}

function objectOf(account: Account, id: string, { path, rest }: { path: string; rest: string[] }): Json {
  const found =
    account.customers.get(id) ??
    account.subscriptions.get(id) ??
    account.invoices.get(id) ??
    account.products.get(id) ??
    account.prices.get(id) ??
    account.paymentMethods.get(id) ??
    account.portalConfigurations.get(id);
  if (found === undefined && account.deletedCustomers.has(id))
    return { id, object: 'customer', deleted: true };
  if (found === undefined) throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  const copy = JSON.parse(JSON.stringify(found)) as Json;
  hideIncludable(copy, [rest.join('.')]);
  return copy;
}
