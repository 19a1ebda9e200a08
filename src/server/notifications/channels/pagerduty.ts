import { incidentSaid } from '#core/destinations.ts';
import type { Message } from '../message.ts';
import { answersOf } from './answers.ts';
import type { Content } from './content.ts';
import { bytesOf, fitting, inert, linesOf } from './content.ts';
import type { HttpChannel, ParsedAddress } from './http-channel.ts';
import { fixedHosts, postJson } from './http-channel.ts';

const ENQUEUE = 'https://events.pagerduty.com/v2/enqueue';
const MAX_BYTES = 512_000;
/** Of an incident; all others are warnings. */
const CRITICAL = ['paused', 'not_resumed', 'reminder'];
const INFORMATION = ['resumed', 'monthly_summary'];
const COPY =
  'Enter the integration key of an Events API v2 integration: 32 letters and digits. In the EU, write its integration URL before it: https://events.eu.pagerduty.com/v2/enqueue.';

const parseUrl = fixedHosts({
  hosts: ['events.pagerduty.com', 'events.eu.pagerduty.com'],
  path: /^\/v2\/enqueue$/,
  copy: COPY,
});

/** Events API v2 of PagerDuty: one incident for an outage, which ends when all of its campaigns run again. */
export const pagerduty: HttpChannel = {
  parse: parseKey,
  request({ address }, message, { destinationId, publicUrl }) {
    const url = new URL(address);
    const routing_key = url.searchParams.get('routing_key') ?? '';
    url.search = '';
    const body = fitting(
      { message, publicUrl, say: inert },
      (content) => {
        return JSON.stringify({
          routing_key,
          ...eventOf(message, destinationId),
          ...detailsOf(message, content),
        });
      },
      (text) => bytesOf(text) < MAX_BYTES,
    );
    return postJson(url.href, body);
  },
  answer: answersOf({
    name: 'PagerDuty',
    isGone: ({ status, body }) =>
      status === 404 || status === 410 || (status === 400 && /routing key/i.test(body)),
  }),
};

/** 'KEY', or 'URL KEY', in any order; stored as 'URL?routing_key=KEY'. */
function parseKey(text: string, allowed: readonly string[]): ParsedAddress {
  const words = text.trim().split(/\s+/);
  const given = words.find((word) => word.includes('/')) ?? ENQUEUE;
  const parsed = parseUrl(given, allowed);
  if (!parsed.ok) return parsed;
  const url = new URL(parsed.address);
  const key = url.searchParams.get('routing_key') ?? words.find((word) => !word.includes('/')) ?? '';
  if (words.length > 2 || !/^[\da-z]{32}$/i.test(key)) return { ok: false, copy: COPY };
  return { ok: true, address: `${url.origin}${url.pathname}?routing_key=${key}` };
}

function eventOf(message: Message, destinationId: string | null) {
  const { about, isEnd } = incidentSaid(message) ?? { about: 'test', isEnd: false };
  return {
    event_action: isEnd ? 'resolve' : 'trigger',
    // Two users may have one integration: the end for one of them leaves the other's incident open.
    dedup_key: `smartpause-${about}-${destinationId}`,
  };
}

function detailsOf({ events, occurredAt }: Message, { title, parts, buttons, page, isCut }: Content) {
  const lines = parts.map((part) => {
    const texts = linesOf(part, page).map(
      ({ runs, isItem }) => `${isItem === true ? '- ' : ''}${runs.map(({ text }) => text).join('')}`,
    );
    return texts.join('\n');
  });
  const isIn = (list: readonly string[]) => (event: string) => list.includes(event);
  const usual = events.every(isIn(INFORMATION)) ? 'info' : 'warning';
  return {
    client: 'SmartPause',
    client_url: page,
    links: buttons.map(({ label, address }) => ({ href: address, text: label })),
    payload: {
      ...{ summary: title, source: 'SmartPause', component: 'Meta ads', class: events.join(', ') || 'test' },
      ...{
        severity: events.some(isIn(CRITICAL)) ? 'critical' : usual,
        timestamp: new Date(occurredAt).toISOString(),
      },
      custom_details: { text: [...lines, ...(isCut ? ['…'] : [])].join('\n\n') },
    },
  };
}
