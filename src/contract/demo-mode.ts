/** A control page in demo mode; the name says what it is for. */
export interface DemoPage {
  name: string;
  address: string;
}

/** Parses `name=url`; null: invalid. */
export function demoPage(entry: string): DemoPage | null {
  const [, name = '', address = ''] = /^([^=]+)=(https?:\/\/.+)$/.exec(entry.trim()) ?? [];
  return address === '' ? null : { name, address };
}

/** The service that is not the real one, by the name of its control page. */
const REPLACED = new Map([
  ['Change campaigns', 'Meta'],
  ['Trigger an outage', 'Meta'],
  ['Manage billing', 'Stripe'],
  ['Read the emails', 'email'],
]);

/** 'Meta, email and Stripe are simulated on this machine.' */
export function demoCopy(controlPages: readonly string[]): string {
  const services = [...new Set(controlPages.map((name) => REPLACED.get(name) ?? name))];
  const last = services.at(-1) ?? '';
  if (services.length === 1) return `${last} is simulated on this machine.`;
  return `${services.slice(0, -1).join(', ')} and ${last} are simulated on this machine.`;
}
