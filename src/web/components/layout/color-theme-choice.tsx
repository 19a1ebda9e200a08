import { VisuallyHidden, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import classes from './color-theme-choice.module.css';

const CHOICES = [
  { value: 'light', label: 'Light', icon: <Sun /> },
  { value: 'auto', label: 'System', icon: <Screen /> },
  { value: 'dark', label: 'Dark', icon: <Moon /> },
] as const;

/** Light, dark, or whatever the system has; the browser keeps it. */
export function ColorThemeChoice() {
  const name = useId();
  // A second style sheet that stills transitions for a moment would be one more thing to allow.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const isHydrated = useHydrated();
  return (
    <fieldset className={classes.choice} data-waiting={isHydrated ? undefined : ''}>
      <VisuallyHidden component="legend">Color theme</VisuallyHidden>
      {CHOICES.map(({ value, label, icon }) => (
        <label key={value} title={`${label} theme`}>
          <input
            type="radio"
            name={name}
            value={value}
            // What was chosen is known to this browser only, and not to whoever drew the page beforehand.
            checked={value === (isHydrated ? colorScheme : 'auto')}
            onChange={() => setColorScheme(value)}
          />
          {icon}
          <VisuallyHidden>{label}</VisuallyHidden>
        </label>
      ))}
    </fieldset>
  );
}

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

function Sun() {
  return (
    <Icon>
      <circle cx="8" cy="8" r="3" />
      <path d="M8 1v1.4M8 13.6V15M1 8h1.4M13.6 8H15M3.05 3.05l1 1M11.95 11.95l1 1M3.05 12.95l1-1M11.95 4.05l1-1" />
    </Icon>
  );
}

function Screen() {
  return (
    <Icon>
      <rect x="1.5" y="2.5" width="13" height="9" rx="1.5" />
      <path d="M5.5 14h5" />
    </Icon>
  );
}

function Moon() {
  return (
    <Icon>
      <path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z" />
    </Icon>
  );
}
