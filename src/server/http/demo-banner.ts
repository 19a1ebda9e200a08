import { escapeHtml } from '#core/escape-html.ts';

/** The service that is not the real one, by the name of its control page. */
const REPLACED = new Map([
  ['Change campaigns', 'Meta'],
  ['Trigger an outage', 'Meta'],
  ['Manage billing', 'Stripe'],
  ['Read the emails', 'email'],
]);

/**
 * Begins the body of every page in demo mode: which services are replaced, and links to the control pages.
 * @param pages as 'name=url'; none: the real services are used
 */
export function demoBanner(pages: readonly string[]): string {
  const known = pages.flatMap((entry) => {
    const [, name = '', address = ''] = /^([^=]+)=(https?:\/\/.+)$/.exec(entry.trim()) ?? [];
    return address === '' ? [] : [{ name, address }];
  });
  if (known.length === 0) return '';
  const links = known.map(
    ({ name, address }) =>
      `<a href="${escapeHtml(address)}" target="_blank" rel="noreferrer">${escapeHtml(name)}</a>`,
  );
  const text = escapeHtml(demoCopy(known.map(({ name }) => name)));
  return `<aside class="demo" aria-label="Demo mode"><span><b>Demo mode:</b> ${text}</span>${links.join('')}</aside>`;
}

/** 'Meta, email and Stripe are simulated on this machine.' */
export function demoCopy(controlPages: readonly string[]): string {
  const services = [...new Set(controlPages.map((name) => REPLACED.get(name) ?? name))];
  const last = services.at(-1) ?? '';
  if (services.length === 1) return `${last} is simulated on this machine.`;
  return `${services.slice(0, -1).join(', ')} and ${last} are simulated on this machine.`;
}
