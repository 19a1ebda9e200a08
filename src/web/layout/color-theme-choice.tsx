import { VisuallyHidden, useMantineColorScheme } from '@mantine/core';
import { useId } from 'react';
import classes from './color-theme-choice.module.css';

const CHOICES = [
  {
    value: 'light',
    label: 'Light',
    icon: (
      <>
        <circle cx="8" cy="8" r="3" />
        <path d="M8 1v1.4M8 13.6V15M1 8h1.4M13.6 8H15M3.05 3.05l1 1M11.95 11.95l1 1M3.05 12.95l1-1M11.95 4.05l1-1" />
      </>
    ),
  },
  {
    value: 'auto',
    label: 'System',
    icon: (
      <>
        <rect x="1.5" y="2.5" width="13" height="9" rx="1.5" />
        <path d="M5.5 14h5" />
      </>
    ),
  },
  { value: 'dark', label: 'Dark', icon: <path d="M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z" /> },
] as const;

/** Light, dark or system; stored in the browser. */
export function ColorThemeChoice() {
  const name = useId();
  // Mantine would add a style element to disable transitions, which the policy would have to allow.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <fieldset className={classes.choice} data-theme-choice>
      <VisuallyHidden component="legend">Color theme</VisuallyHidden>
      {CHOICES.map(({ value, label, icon }) => (
        <label key={value} title={`${label} theme`}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === colorScheme}
            onChange={() => setColorScheme(value)}
          />
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
            {icon}
          </svg>
          <VisuallyHidden>{label}</VisuallyHidden>
        </label>
      ))}
    </fieldset>
  );
}
