import type { SimulatorName } from '../simulator-clients/simulators.ts';

/** The service that each simulator replaces. */
const SERVICES: Record<SimulatorName, string> = {
  'meta-graph': 'Meta',
  'meta-status': 'Meta’s status page',
  mailbox: 'email',
  stripe: 'Stripe',
  channels: 'webhooks',
};

/** Begins the body of every page: which services are replaced, each a link to the control page of its simulator. */
export function demoBanner(urls: ReadonlyMap<SimulatorName, string>): string {
  if (urls.size === 0) return '';
  const services = [...urls].map(
    ([name, url]) => `<a href="${url}/_sim" target="_blank" rel="noreferrer">${SERVICES[name]}</a>`,
  );
  const last = services.pop() ?? '';
  const replaced = services.length === 0 ? `${last} is` : `${services.join(', ')} and ${last} are`;
  return `<aside class="demo" aria-label="Demo mode"><span><b>Demo mode:</b> ${replaced} simulated on this machine.</span></aside>`;
}
