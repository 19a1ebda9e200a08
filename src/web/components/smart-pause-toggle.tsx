import { Switch } from '@mantine/core';
import classes from './smart-pause-toggle.module.css';

export interface SmartPauseToggleProps {
  campaignName: string;
  on: boolean;
  disabled: boolean;
  size: 'sm' | 'md' | 'lg';
  onToggle: () => void;
}

export function SmartPauseToggle({ campaignName, on, disabled, size, onToggle }: SmartPauseToggleProps) {
  return (
    <Switch
      checked={on}
      disabled={disabled}
      size={size}
      aria-label={`SmartPause for ${campaignName}`}
      onChange={onToggle}
      withThumbIndicator={false}
      classNames={classes}
    />
  );
}
