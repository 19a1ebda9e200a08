import type { Usage } from '#core/platform-usage.ts';
import type { AdPlatform } from '../platforms/meta/ads.ts';
import type { GraphCall, GraphClient, GraphResponse } from '../platforms/meta/client.ts';

/** The last segment of a path names the resource; the other segments are ids. */
const BY_LAST_WORD: Record<string, string> = {
  adaccounts: 'ad_accounts',
  campaigns: 'campaigns',
  activities: 'activities',
  permissions: 'permissions',
  access_token: 'login',
  me: 'profile',
};

export function callName({ path, params }: Pick<GraphCall, 'path' | 'params'>): string {
  if (path === '') return params?.['batch']?.includes('"POST"') === true ? 'writes' : 'reads';
  return BY_LAST_WORD[path.split('/').at(-1) ?? ''] ?? 'other';
}

/** Wraps a client to report each response. */
export function withCallMetrics(
  graph: GraphClient,
  onResponse: (call: GraphCall, response: GraphResponse, tookMs: number) => void,
): GraphClient {
  return {
    ...graph,
    async call(call) {
      const from = performance.now();
      const response = await graph.call(call);
      onResponse(call, response, performance.now() - from);
      return response;
    },
  };
}

/** Wraps a platform to report the usage of an ad account's rate limit. */
export function withUsageMetrics(platform: AdPlatform, onUsage: (usage: Usage) => void): AdPlatform {
  const reported = async <T extends { usage: Usage | null }>(pending: Promise<T>): Promise<T> => {
    const response = await pending;
    if (response.usage !== null) onUsage(response.usage);
    return response;
  };
  return {
    ...platform,
    listCampaigns: (...given) => reported(platform.listCampaigns(...given)),
    readStatuses: (...given) => reported(platform.readStatuses(...given)),
    readStatusChanges: (...given) => reported(platform.readStatusChanges(...given)),
    setStatuses: (...given) => reported(platform.setStatuses(...given)),
  };
}
