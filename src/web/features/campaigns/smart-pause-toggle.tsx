import classes from './smart-pause-toggle.module.css';

export interface SmartPauseToggleProps {
  campaignName: string;
  on: boolean;
  disabled: boolean;
  size: 'sm' | 'md' | 'lg';
  onToggle: () => void;
}

/** One plain element, because each one counts with many rows. */
export function SmartPauseToggle({ campaignName, on, disabled, size, onToggle }: SmartPauseToggleProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className={classes.toggle}
      data-size={size}
      checked={on}
      disabled={disabled}
      aria-label={`SmartPause for ${campaignName}`}
      onChange={onToggle}
    />
  );
}
