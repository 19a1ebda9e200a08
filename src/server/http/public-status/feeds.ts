import { escapeHtml } from '#core/escape-html.ts';
import type { PublicStatus } from '../../services/status/public-status.ts';
import { textOf } from './incident-text.ts';

const TITLE = 'Meta ads status by SmartPause';

function entriesOf({ incidents }: PublicStatus, publicUrl: string) {
  return incidents.map((incident) => {
    const { id, title, day, facts, published, modified } = textOf(incident);
    return {
      url: `${publicUrl}/status#${id}`,
      title: `${title}, ${day}`,
      text: facts.map(({ label, text }) => `${label}: ${text}.`).join(' '),
      published,
      modified,
    };
  });
}

/** JSON Feed 1.1, with the current levels in an extension. */
export function jsonFeed(status: PublicStatus, publicUrl: string): string {
  const { level, checkedAt, override, components, silentIncidents, warning } = status;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: TITLE,
    home_page_url: `${publicUrl}/status`,
    feed_url: `${publicUrl}/status.json`,
    language: 'en',
    _status: {
      ...{ level, override, checkedAt: checkedAt === null ? null : new Date(checkedAt).toISOString() },
      silentIncidents,
      warning: warning && { ...warning, since: new Date(warning.since).toISOString() },
      components: components.map(({ product, name, isWatched, said: [words = null], ...one }) => ({
        ...{ product, name, isWatched, level: one.level ?? 'UNKNOWN', words },
      })),
    },
    items: entriesOf(status, publicUrl).map(({ url, title, text, published, modified }) => ({
      ...{ id: url, url, title, content_text: text, date_published: published, date_modified: modified },
    })),
  });
}

export function atomFeed(status: PublicStatus, publicUrl: string): string {
  const home = escapeHtml(`${publicUrl}/status`);
  const entries = entriesOf(status, publicUrl);
  const updated = entries.reduce(
    (last, { modified }) => (modified > last ? modified : last),
    new Date(status.since ?? 0).toISOString(),
  );
  const elements = entries.map(({ url, title, text, published, modified }) => {
    const link = escapeHtml(url);
    return `<entry><id>${link}</id><link href="${link}"/><title>${escapeHtml(title)}</title><published>${published}</published><updated>${modified}</updated><summary>${escapeHtml(text)}</summary></entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${home}</id><title>${TITLE}</title><updated>${updated}</updated><author><name>SmartPause</name></author>
<link href="${home}"/><link rel="self" type="application/atom+xml" href="${home}.atom"/>
${elements.join('\n')}
</feed>
`;
}
