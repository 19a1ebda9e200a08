import { Agent, request } from 'undici';

export interface BareCalls {
  graphUrl: string;
  concurrency: number;
  accounts: readonly { id: string; token: string; campaignIds: readonly string[] }[];
}

/**
 * Makes the same two calls per ad account as the product, without database, decisions and parsing.
 * @returns milliseconds
 */
export async function callBarely({ graphUrl, concurrency, accounts }: BareCalls): Promise<number> {
  const agent = new Agent({ connections: concurrency });
  const left = accounts.values();
  const work = async (): Promise<void> => {
    for (const { id, token, campaignIds } of left) {
      const headers = { authorization: `Bearer ${token}` };
      const fields = 'fields=id,name,status,objective,daily_budget&limit=500';
      const list = await request(`${graphUrl}/v26.0/${id}/campaigns?${fields}`, {
        headers,
        dispatcher: agent,
      });
      await list.body.text();
      const batch = campaignIds.map((campaign) => ({
        method: 'POST',
        relative_url: campaign,
        body: 'status=ACTIVE',
      }));
      const written = await request(`${graphUrl}/v26.0/`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ batch: JSON.stringify(batch) }).toString(),
        dispatcher: agent,
      });
      await written.body.text();
      if (list.statusCode !== 200 || written.statusCode !== 200) throw new Error('the platform refused');
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, work));
  const took = performance.now() - began;
  await agent.close();
  return took;
}
