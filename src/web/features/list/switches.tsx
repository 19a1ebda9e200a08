import { Toggle } from '../../components/toggle.tsx';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import classes from './list.module.css';

// Plain elements, because each one counts with many rows. Their click targets are larger than their pictures.

interface RowCheckboxProps {
  label: string;
  isTicked: boolean;
  disabled: boolean;
  onTick: () => void;
}

export function RowCheckbox({ label, isTicked, disabled, onTick }: RowCheckboxProps) {
  return (
    <label className={classes.tick}>
      <input type="checkbox" checked={isTicked} disabled={disabled} aria-label={label} onChange={onTick} />
    </label>
  );
}

export interface SmartPauseToggleProps {
  campaignName: string;
  on: boolean;
  /** Another change of the campaign is in progress. */
  isSaving: boolean;
  disabled: boolean;
  size: 'sm' | 'md' | 'lg';
  onToggle: () => void;
}

/** Why a press does nothing. */
export const SAVING = 'Saving…';

export function SmartPauseToggle(props: SmartPauseToggleProps) {
  const { campaignName, on, isSaving, disabled, size, onToggle } = props;
  return (
    <Toggle
      // That of a legacy campaign goes when it is turned off.
      ref={leaveFocusToList}
      size={size}
      checked={on}
      disabled={disabled}
      // It keeps the focus.
      aria-disabled={isSaving}
      title={isSaving ? SAVING : undefined}
      aria-label={`SmartPause for ${campaignName}`}
      onChange={onToggle}
    />
  );
}
