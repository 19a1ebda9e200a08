import type { Incident } from '#core/outages/incident.ts';
import { beginOf, isEndUnknown } from '#core/outages/incident.ts';
import { LEVEL_WORDS, capitalized, durationLabel } from '#core/labels.ts';
import { fullTime, utcWithNewYork } from '#core/new-york.ts';

/** 'Jan 8, 2026': the date in New York. */
export function dayLabel(at: number): string {
  return fullTime(at).split(', ').slice(0, 2).join(', ');
}

/** What the page and the feeds say about an incident. */
export function textOf(incident: Incident) {
  const { feltAt, startedAt, endedAt, isOpen, certainty, components, peak } = incident;
  const begun = beginOf(incident);
  const component = (components[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const isOver = startedAt !== null && endedAt !== null;
  const facts: [label: string, text: string | null][] = [
    ['Noticed by advertisers', feltAt === null ? null : utcWithNewYork(feltAt)],
    ['On the status page', startedAt === null ? null : utcWithNewYork(startedAt)],
    ['Ended', endedAt !== null ? utcWithNewYork(endedAt) : isOpen ? 'Not yet' : 'Unknown'],
    ['Lasted', isOver ? durationLabel(endedAt - startedAt) : null],
    ['Source', sourceOf(incident)],
    ['Certainty', capitalized(certainty)],
  ];
  return {
    /** Stable while the start is, and readable in an address. */
    id: `${new Date(begun).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-')}-${component}`,
    /** 'High disruption: Ads Delivery'. */
    title: `${LEVEL_WORDS[peak]}: ${components.join(', ')}`,
    day: dayLabel(begun),
    published: new Date(begun).toISOString(),
    modified: new Date(endedAt ?? begun).toISOString(),
    /** 'Lasted 1 h 58 min', in short. */
    lasted: isOver
      ? durationLabel(endedAt - startedAt)
      : isEndUnknown(incident)
        ? 'end unknown'
        : isOpen
          ? 'not over yet'
          : 'duration unknown',
    /** Unknown times are left out, but an unknown end is named. */
    facts: facts.flatMap(([label, text]) => (text === null ? [] : [{ label, text }])),
  };
}

function sourceOf({ source, publishedBy = '' }: Incident): string {
  if (source === 'record') return 'SmartPause’s own readings of Meta’s status page';
  return source === 'meta' ? 'Meta’s list of outages' : publishedBy;
}
