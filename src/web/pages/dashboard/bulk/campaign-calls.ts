import { userApi } from '#contract/user-api.ts';
import { seconds } from '#core/time.ts';
import { CallError, call } from '../../../api/call.ts';
import type { SessionGuard } from './session-guard.ts';

/** Timeout of one call, so that a run ends even if a call is never answered. */
const CALL_TIMEOUT_MS = seconds(30);

export type CampaignCalls = ReturnType<typeof campaignCalls>;

/** The calls of a run of many, all of them in the session in which it began. */
export function campaignCalls(session: SessionGuard, aborted: AbortSignal = session.signal) {
  const signal = (): AbortSignal => {
    session.check();
    return AbortSignal.any([aborted, session.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
  };
  return {
    list: async (adAccountId: string) =>
      (await call(userApi.campaigns, { params: { adAccountId }, signal: signal() })).campaigns,
    setSmartPause: async (adAccountId: string, campaignId: string, enabled: boolean) =>
      call(userApi.setSmartPause, {
        params: { adAccountId, campaignId },
        body: { enabled },
        signal: signal(),
      }),
    pause: async (id: string) =>
      confirmed(await call(userApi.pauseCampaign, { params: { id }, signal: signal() })),
    resume: async (id: string) =>
      confirmed(await call(userApi.resumeCampaign, { params: { id }, signal: signal() })),
  };
}

/** A change that Meta has not confirmed has no clear result: the list shows what becomes of it. */
function confirmed<Answer extends { pending?: true | undefined }>(answer: Answer): Answer {
  if (answer.pending !== true) return answer;
  throw new CallError('pending', { status: 504, code: 'PENDING', reason: 'Meta has not confirmed it yet.' });
}
