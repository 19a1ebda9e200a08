import type { FastifyInstance } from 'fastify';
import type { Evidence } from '../../services/history/evidence.ts';
import { readAnswers, readEvidence } from '../../services/history/evidence.ts';
import type { Needs } from '../../services/deps.ts';
import { plainPage } from '../plain-page.ts';
import { pagePolicy } from '../security-headers.ts';
import { evidenceCsv } from './csv.ts';
import { evidenceDocument } from './page.ts';

const GONE = plainPage(
  'This page is no longer here',
  '<p>Its address worked for an hour. Open it again from the outage in <a href="/activity">Activity</a>.</p>',
);

/** The evidence of one outage, as a page and as a file. The address is the permission, so it is for an hour. */
export function serveEvidence(app: FastifyInstance, deps: Needs<'db' | 'clock' | 'cipher'>): void {
  const serve = (
    suffix: string,
    type: string,
    render: (evidence: Evidence, link: string) => string | Promise<string>,
  ) =>
    app.get<{ Params: { link: string } }>(`/evidence/:link${suffix}`, async ({ params: { link } }, reply) => {
      const evidence = await readEvidence(deps, link);
      if (evidence === null || type === 'text/html')
        void reply.header('content-security-policy', pagePolicy('')).type('text/html; charset=utf-8');
      if (evidence === null) return reply.status(404).send(GONE);
      if (type === 'text/csv') {
        const name = `smartpause-evidence-${new Date(evidence.startedAt).toISOString().slice(0, 10)}.csv`;
        void reply.header('content-disposition', `attachment; filename="${name}"`);
        void reply.type('text/csv; charset=utf-8');
      }
      return reply.send(await render(evidence, link));
    });
  serve('', 'text/html', async (evidence, link) =>
    evidenceDocument(evidence, await readAnswers(deps, evidence), `/evidence/${link}/campaigns.csv`),
  );
  serve('/campaigns.csv', 'text/csv', evidenceCsv);
}
