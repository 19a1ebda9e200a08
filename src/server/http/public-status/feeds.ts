import type { Incident } from '#core/smartpause/incident.ts';
import { beginOf } from '#core/smartpause/incident.ts';
import type { PublicStatus } from '../../services/public-status.ts';
import { dayLabel, incidentFacts, incidentId, incidentTitle } from './incident-text.ts';
import { escapeHtml } from '#core/escape-html.ts';

const TITLE = 'Meta ads status by SmartPause';

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function entryOf(incident: Incident, publicUrl: string) {
  return {
    url: `${publicUrl}/status#${incidentId(incident)}`,
    title: `${incidentTitle(incident)}, ${dayLabel(beginOf(incident))}`,
    text: incidentFacts(incident)
      .map(([label, text]) => `${label}: ${text}.`)
      .join(' '),
    published: new Date(beginOf(incident)).toISOString(),
    modified: new Date(incident.endedAt ?? beginOf(incident)).toISOString(),
  };
}

/** JSON Feed 1.1, with the current levels and the days in an extension. */
export function jsonFeed(status: PublicStatus, publicUrl: string): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: TITLE,
    home_page_url: `${publicUrl}/status`,
    feed_url: `${publicUrl}/status.json`,
    language: 'en',
    _status: {
      level: status.level,
      checkedAt: iso(status.checkedAt),
      override: status.override,
      recordedSince: iso(status.recordedSince),
      components: status.components.map(({ level, said, ...component }) => ({
        ...component,
        ...{ level: level ?? 'UNKNOWN', words: said[0] ?? null },
      })),
      days: status.days.map(({ from, level, disruptedMs }) => ({ from: iso(from), level, disruptedMs })),
    },
    items: status.incidents.map((incident) => {
      const { url, title, text, published, modified } = entryOf(incident, publicUrl);
      const { source, certainty, components, peak, isOpen } = incident;
      return {
        id: url,
        ...{ url, title, content_text: text, date_published: published, date_modified: modified },
        _incident: {
          ...{ source, certainty, components, level: peak, isOpen },
          publishedBy: incident.publishedBy ?? null,
          feltAt: iso(incident.feltAt),
          startedAt: iso(incident.startedAt),
          endedAt: iso(incident.endedAt),
        },
      };
    }),
  });
}

export function atomFeed(status: PublicStatus, publicUrl: string): string {
  const home = escapeHtml(`${publicUrl}/status`);
  const entries = status.incidents.map((incident) => {
    const { url, title, text, published, modified } = entryOf(incident, publicUrl);
    const link = escapeHtml(url);
    return `<entry><id>${link}</id><link href="${link}"/><title>${escapeHtml(title)}</title><published>${published}</published><updated>${modified}</updated><summary>${escapeHtml(text)}</summary></entry>`;
  });
  const changed = status.incidents.map(({ endedAt, ...one }) => endedAt ?? beginOf({ ...one, endedAt }));
  const updated = new Date(Math.max(status.since ?? 0, ...changed)).toISOString();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${home}</id><title>${TITLE}</title><updated>${updated}</updated><author><name>SmartPause</name></author>
<link href="${home}"/><link rel="self" type="application/atom+xml" href="${home}.atom"/>
${entries.join('\n')}
</feed>
`;
}
