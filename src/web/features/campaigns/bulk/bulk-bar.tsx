import { Button, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { BusyButton } from '../../../components/busy-button.tsx';
import type { Action, AllowedActions } from './actions.ts';
import { ACTIONS, changes, isAllowed, isLocked } from './actions.ts';
import classes from './bulk.module.css';
import { questionBefore } from './copy.ts';
import { useQuestion, useSituation } from './question-dialog.tsx';
import { useBulkChange } from './use-bulk-change.tsx';

interface BulkBarProps {
  account: AdAccount;
  allowed: AllowedActions;
  selected: readonly Campaign[];
  /** Selected, but hidden by the filters. */
  hidden: number;
  onClear: () => void;
}

/** Sticks to the window's lower edge: the actions for the selected campaigns. */
export function BulkBar({ account, allowed, selected, hidden, onClear }: BulkBarProps) {
  const { ask, dialog } = useQuestion();
  const situationOf = useSituation();
  const start = useBulkChange();
  const onAction = (action: Action, campaigns: readonly Campaign[]) => {
    const targets = campaigns.map((campaign) => ({ account, campaign }));
    const mayUndo = isAllowed(allowed, action === 'pause' ? 'resume' : 'pause');
    const situation = situationOf(targets);
    ask(questionBefore(action, targets, situation), (resume) => {
      const withResume = targets.map((target) => ({
        ...target,
        resumes: resume && situation.held.has(target.campaign.id),
      }));
      start({ action, targets: withResume, mayUndo });
      onClear();
    });
  };
  if (selected.length === 0) return dialog;
  return (
    <section className={classes.bar} aria-label="Selected campaigns">
      <Text fz="sm" role="status" className="figures">
        <b>{figure(selected.length)} selected</b>
        {hidden > 0 && `, ${figure(hidden)} of them not shown`}
      </Text>
      <Button size="sm" variant="subtle" className={classes.clear} onClick={onClear}>
        Clear selection
      </Button>
      <div className={classes.actions}>
        {ACTIONS.filter((action) => isAllowed(allowed, action)).map((action) => (
          <ActionButton key={action} action={action} selected={selected} onAction={onAction} />
        ))}
      </div>
      {dialog}
    </section>
  );
}

interface ActionButtonProps {
  action: Action;
  selected: readonly Campaign[];
  onAction: (action: Action, campaigns: readonly Campaign[]) => void;
}

function ActionButton({ action, selected, onAction }: ActionButtonProps) {
  const campaigns = selected.filter((campaign) => changes(campaign, action));
  const locked = selected.filter((campaign) => isLocked(campaign, action)).length;
  // The keyboard must also reach the button with the reason.
  const saysWhy = campaigns.length === 0 && locked > 0;
  return (
    <Tooltip
      label={`Turn SmartPause off to ${action} ${locked === 1 ? 'it' : 'them'} manually`}
      disabled={!saysWhy}
    >
      <BusyButton
        size="sm"
        variant={action === 'on' ? 'filled' : 'default'}
        isBusy={false}
        isInert={saysWhy}
        disabled={campaigns.length === 0 && !saysWhy}
        data-disabled={saysWhy}
        onClick={() => onAction(action, campaigns)}
      >
        <span>
          <Label action={action} /> ({figure(campaigns.length)})
        </span>
      </BusyButton>
    </Tooltip>
  );
}

function Label({ action }: { action: Action }) {
  if (action === 'pause') return 'Pause';
  if (action === 'resume') return 'Resume';
  return (
    <>
      Turn <VisuallyHidden component="span">SmartPause </VisuallyHidden>
      {action}
    </>
  );
}
