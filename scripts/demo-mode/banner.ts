import type { SimulatorName } from '../outside/simulators.ts';

/** What the control page of each simulator is for, and which service it replaces. */
const CONTROL_PAGES: Record<SimulatorName, { label: string; service: string }> = {
  'meta-graph': { label: 'Change campaigns', service: 'Meta' },
  'meta-status': { label: 'Trigger an outage', service: 'Meta' },
  mailbox: { label: 'Read the emails', service: 'email' },
  stripe: { label: 'Manage billing', service: 'Stripe' },
};

/** Begins the body of every page: which services are replaced, and links to their control pages. */
export function demoBanner(urls: ReadonlyMap<SimulatorName, string>): string {
  if (urls.size === 0) return '';
  const services = [...new Set([...urls.keys()].map((name) => CONTROL_PAGES[name].service))];
  const last = services.pop() ?? '';
  const replaced = services.length === 0 ? `${last} is` : `${services.join(', ')} and ${last} are`;
  const links = [...urls].map(
    ([name, url]) =>
      `<a href="${url}/_sim" target="_blank" rel="noreferrer">${CONTROL_PAGES[name].label}</a>`,
  );
  return `<aside class="demo" aria-label="Demo mode"><span><b>Demo mode:</b> ${replaced} simulated on this machine.</span>${links.join('')}</aside>`;
}
