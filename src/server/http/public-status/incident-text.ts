import type { Incident } from '#core/smartpause/incident.ts';
import { beginOf } from '#core/smartpause/incident.ts';
import { LEVEL_WORDS, durationLabel } from '#core/labels.ts';
import { fullTime } from '#core/new-york.ts';

/** 'Jan 8, 2026': the date in New York. */
export function dayLabel(at: number): string {
  return fullTime(at).split(', ').slice(0, 2).join(', ');
}

/** 'High disruption: Ads Delivery'. */
export function incidentTitle({ peak, components }: Incident): string {
  return `${LEVEL_WORDS[peak]}: ${components.join(', ')}`;
}

/** Stable while the start is, and readable in an address. */
export function incidentId(incident: Incident): string {
  const begun = new Date(beginOf(incident)).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-');
  const component = (incident.components[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${begun}-${component}`;
}

/** Label and text of each known fact; unknown times are left out. */
export function incidentFacts(incident: Incident): [label: string, text: string][] {
  const { feltAt, startedAt, endedAt, isOpen, certainty } = incident;
  const facts: [string, string | null][] = [
    ['Noticed by advertisers', feltAt === null ? null : fullTime(feltAt)],
    ['On the status page', startedAt === null ? null : fullTime(startedAt)],
    ['Ended', endedAt === null ? (isOpen ? 'Not yet' : null) : fullTime(endedAt)],
    ['Lasted', startedAt === null || endedAt === null ? null : durationLabel(endedAt - startedAt)],
    ['Source', sourceOf(incident)],
    ['Certainty', `${certainty.charAt(0).toUpperCase()}${certainty.slice(1)}`],
  ];
  return facts.flatMap(([label, text]) => (text === null ? [] : [[label, text]]));
}

function sourceOf({ source, publishedBy = '' }: Incident): string {
  switch (source) {
    case 'record':
      return 'SmartPause’s own readings of Meta’s status page';
    case 'meta':
      return 'Meta’s list of outages';
    case 'documented':
      return publishedBy;
  }
}
