import type { HeldCampaign } from './turn-off-and-resume.ts';
import { createResumer } from './turn-off-and-resume.ts';

export type Resumed =
  { ok: true; isPending: boolean } | { ok: false; error: unknown; title: string; fallback?: string };

interface Calls {
  turnOff: () => Promise<unknown>;
  resume: () => Promise<{ pending?: true | undefined }>;
}

/** The 'Resume now' of one row, by the rule of every other one. */
export async function resumeOne(campaign: HeldCampaign, calls: Calls): Promise<Resumed> {
  let isPending = false;
  const resume = async () => {
    isPending = (await calls.resume()).pending === true;
  };
  const resumer = createResumer({ turnOff: calls.turnOff, resume });
  try {
    await resumer.send(campaign);
    return { ok: true, isPending };
  } catch (error) {
    const { unknown, stillPaused } = resumer.failures;
    if (unknown.length > 0) {
      const title = `No clear response about ${campaign.name}`;
      return { ok: false, error, title, fallback: 'It may have been resumed. Check the list.' };
    }
    const isOff = stillPaused.length > 0;
    const title = isOff
      ? 'SmartPause is off, but resuming the campaign failed'
      : 'Failed to toggle SmartPause';
    return { ok: false, error, title };
  }
}
