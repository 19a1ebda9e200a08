import type { Usage } from '#core/platform-usage.ts';
import type { AdPlatform } from '../platforms/meta/ads.ts';
import type { GraphCall, GraphClient, RawAnswer } from '../platforms/meta/client.ts';

/** The last word of a path says what is asked; the rest are ids. */
const BY_LAST_WORD: Record<string, string> = {
  adaccounts: 'ad_accounts',
  campaigns: 'campaigns',
  activities: 'activities',
  permissions: 'permissions',
  access_token: 'login',
  me: 'profile',
};

export function whatIsCalled({ path, params }: Pick<GraphCall, 'path' | 'params'>): string {
  if (path === '') return params?.['batch']?.includes('"POST"') === true ? 'writes' : 'reads';
  return BY_LAST_WORD[path.split('/').at(-1) ?? ''] ?? 'other';
}

/** 'ok', or the kind of failure; 'not_sent' for what says nothing about the platform. */
export function whatCameOfIt(answer: RawAnswer): string {
  if (answer.ok) return 'ok';
  return answer.failure.isOurs === true ? 'not_sent' : answer.failure.kind;
}

/** The same client, which tells of each answer. */
export function tellingAnswers(
  graph: GraphClient,
  onAnswer: (call: GraphCall, answer: RawAnswer, tookMs: number) => void,
): GraphClient {
  return {
    now: () => graph.now(),
    aheadMs: () => graph.aheadMs(),
    async call(call) {
      const from = performance.now();
      const answer = await graph.call(call);
      onAnswer(call, answer, performance.now() - from);
      return answer;
    },
  };
}

/** The same platform, which tells how much of an ad account's limit is used whenever that is known. */
export function tellingUsage(platform: AdPlatform, onUsage: (usage: Usage) => void): AdPlatform {
  const told = async <T extends { usage: Usage | null }>(answering: Promise<T>): Promise<T> => {
    const answer = await answering;
    if (answer.usage !== null) onUsage(answer.usage);
    return answer;
  };
  return {
    aheadMs: () => platform.aheadMs(),
    listAdAccounts: (...given) => platform.listAdAccounts(...given),
    listCampaigns: (...given) => told(platform.listCampaigns(...given)),
    readStatuses: (...given) => told(platform.readStatuses(...given)),
    readStatusChanges: (...given) => told(platform.readStatusChanges(...given)),
    setStatuses: (...given) => told(platform.setStatuses(...given)),
  };
}
