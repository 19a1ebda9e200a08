import { leaveFocusToList } from '../../../lib/focus-list.ts';
import classes from './list.module.css';

// Plain elements, because each one counts with many rows. Their click targets are larger than their pictures.

interface TickProps {
  label: string;
  isTicked: boolean;
  disabled: boolean;
  onTick: () => void;
}

export function Tick({ label, isTicked, disabled, onTick }: TickProps) {
  return (
    <label className={classes.tick}>
      <input type="checkbox" checked={isTicked} disabled={disabled} aria-label={label} onChange={onTick} />
    </label>
  );
}

export interface SmartPauseToggleProps {
  campaignName: string;
  on: boolean;
  disabled: boolean;
  size: 'sm' | 'md' | 'lg';
  onToggle: () => void;
}

export function SmartPauseToggle({ campaignName, on, disabled, size, onToggle }: SmartPauseToggleProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      // That of a legacy campaign goes when it is turned off.
      ref={leaveFocusToList}
      className={classes.toggle}
      data-size={size}
      checked={on}
      disabled={disabled}
      aria-label={`SmartPause for ${campaignName}`}
      onChange={onToggle}
    />
  );
}
