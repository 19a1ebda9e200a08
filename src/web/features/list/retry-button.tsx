import type { Campaign } from '#contract/shapes.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { useUnable } from '../campaigns/use-unable.ts';
import { useRetry } from '../changes/use-retry.ts';
import classes from './list.module.css';

/** For a campaign whose pause or resume Meta refuses. */
export function RetryButton({ campaign }: { campaign: Campaign }) {
  const { mutate, isPending } = useRetry(campaign);
  // Nothing is sent.
  if (useUnable() === 'suspended') return null;
  return (
    <button
      ref={leaveFocusToList}
      type="button"
      className={classes.act}
      aria-busy={isPending}
      aria-disabled={isPending}
      aria-label={`Retry now: ${campaign.name}`}
      onClick={() => {
        if (!isPending) mutate();
      }}
    >
      {isPending ? 'Retrying…' : 'Retry now'}
    </button>
  );
}
