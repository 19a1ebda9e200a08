import { Box, useMantineColorScheme } from '@mantine/core';

const THEMES = { auto: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;
type Theme = keyof typeof THEMES;

/** Stored in the browser. The landing page, where no React runs, follows the stored choice without offering one. */
export function ColorThemeChoice() {
  // Mantine would add a style element to disable transitions, which the policy would have to allow.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Box
      component="select"
      data-theme-choice
      aria-label="Color theme"
      value={colorScheme}
      onChange={(event) => setColorScheme(event.currentTarget.value as Theme)}
      w="fit-content"
      p={4}
      fz="sm"
      c="dimmed"
      bg="var(--ground-card)"
      bd="1px solid var(--control-border)"
      bdrs="md"
    >
      {Object.entries(THEMES).map(([theme, label]) => (
        <option key={theme} value={theme}>
          {label}
        </option>
      ))}
    </Box>
  );
}
