import type { HttpAnswer } from '../../kit/http.ts';
import { html } from '../../kit/http.ts';
import { escapeHtml, framePage } from '../../kit/page.ts';
import type { Account } from '../account.ts';
import type { Price } from '../objects.ts';

/** A notice on every page that nothing here is real. */
export const BANNER = '<p class="banner">Simulated: no money moves, and no card is real.</p>';

export function messagePage(status: number, title: string, text: string): HttpAnswer {
  const words = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`;
  return html(status, framePage(title, `<main class="card">${BANNER}${words}</main>`));
}

export function alertBox(text: string | undefined): string {
  return text === undefined ? '' : `<p class="banner" role="alert">${escapeHtml(text)}</p>`;
}

/** A form with one button and no script. */
export function submit(label: string, fields: Record<string, string>): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post">${hidden.join('')}<button type="submit">${escapeHtml(label)}</button></form>`;
}

export function seeOther(location: string): HttpAnswer {
  return { status: 303, headers: { location }, body: '' };
}

export function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

export function priceText(price: Price): string {
  return `${money(price.unit_amount ?? 0, price.currency)} per ${price.recurring?.interval ?? 'once'}`;
}

export function productName(account: Account, price: Price): string {
  return account.products.get(price.product)?.name ?? 'Subscription';
}

export function day(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
