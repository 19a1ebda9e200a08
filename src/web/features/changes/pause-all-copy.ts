import { counted } from '#core/labels.ts';

interface PauseAllCounts {
  wouldPause: { campaigns: number; adAccounts: number };
  alreadyPaused: number;
  unread: number;
}

/** What 'Pause all now' does at this moment. @returns confirm: its button; null: it would change nothing */
export function pauseAllCopy({ wouldPause, alreadyPaused, unread }: PauseAllCounts): {
  sentences: readonly string[];
  confirm: string | null;
} {
  const { campaigns, adAccounts } = wouldPause;
  const where = adAccounts === 1 ? '' : ` in ${counted(adAccounts, 'ad account')}`;
  const pauses = `This pauses ${counted(campaigns, 'campaign')}${where}, whatever Meta’s status says.`;
  const also = campaigns > 0 ? 'It also' : 'This';
  const keeps = `${also} keeps ${counted(alreadyPaused, 'campaign')} paused that SmartPause has paused already.`;
  const them = unread === 1 ? 'there' : 'in them';
  const notRead = `${counted(unread, 'ad account')} couldn’t be read now: campaigns ${them} are paused as well.`;
  if (campaigns + alreadyPaused + unread === 0) {
    const nothing =
      'Nothing to pause: no running campaign has SmartPause on. Turn it on for campaigns first.';
    return { sentences: [nothing], confirm: null };
  }
  return {
    sentences: [
      ...(campaigns > 0 ? [pauses] : []),
      ...(alreadyPaused > 0 ? [keeps] : []),
      ...(unread > 0 ? [notRead] : []),
      'Campaigns without SmartPause run on.',
    ],
    confirm:
      campaigns > 0
        ? `Pause ${counted(campaigns, 'campaign')}`
        : alreadyPaused > 0
          ? `Keep ${counted(alreadyPaused, 'campaign')} paused`
          : 'Pause all',
  };
}
