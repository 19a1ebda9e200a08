import { z } from 'zod';
import type { CanaryCalls } from '../platform.ts';
import type { GraphClient, GraphResponse } from './client.ts';
import { readInsightsUsage, readUsage } from './usage.ts';

const NOTHING = JSON.stringify(['validate_only']);
const campaigns = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });

export function createCanary(
  graph: GraphClient,
  { accountId, token }: { accountId: string; token: string },
): CanaryCalls {
  let used = 0;
  const noted = (response: GraphResponse): GraphResponse => {
    for (const read of [readUsage, readInsightsUsage])
      used = Math.max(used, read(response.headers, accountId, graph.now())?.percent ?? 0);
    return response;
  };
  return {
    async readCampaign() {
      const params = { fields: 'id,status', limit: '1' };
      const response = noted(
        await graph.call({ method: 'GET', path: `${accountId}/campaigns`, params, token }),
      );
      if (!response.ok) return response;
      return { ok: true, value: campaigns.safeParse(response.value).data?.data[0] ?? null };
    },
    async readSpend(day) {
      const params = {
        level: 'account',
        fields: 'spend',
        time_range: JSON.stringify({ since: day, until: day }),
      };
      return noted(await graph.call({ method: 'GET', path: `${accountId}/insights`, params, token }));
    },
    async validate({ id, status }) {
      const params = { status, execution_options: NOTHING };
      return noted(await graph.call({ method: 'POST', path: id, params, token }));
    },
    takeUsedPercent() {
      const most = used;
      used = 0;
      return most;
    },
  };
}
