import { Anchor, Box, Divider, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'react-router';
import { LINE } from '../components/icons.tsx';
import { Muted } from '../components/muted.ts';
import { useAuth } from '../features/auth/auth-provider.tsx';
import { usePlatformStatus } from '../features/status/api.ts';
import { StatusDetails } from '../features/status/status-indicator.tsx';
import { StatusMark, StatusShape } from '../features/status/status-mark.tsx';
import { statusText } from '../features/status/status-words.ts';
import { ColorThemeChoice } from './color-theme-choice.tsx';
import classes from './header.module.css';
import { LEGAL_PAGES, useCurrentPage, useNavLinks } from './nav.ts';
import { Greeting, LogButton, TrialButton } from './session-parts.tsx';

const MENU_ID = 'menu';
const LINK = { py: 8, px: 'xs', c: 'inherit', fw: 550 } as const;

/** The header links for small screens, with the status as a dot. */
export function PhoneMenu() {
  const loggedIn = useAuth().token !== null;
  const status = usePlatformStatus(loggedIn);
  const links = [...useNavLinks(), ...LEGAL_PAGES];
  const current = useCurrentPage();
  const [isOpen, setOpen] = useState(false);
  return (
    <Box hiddenFrom="md">
      {/* The browser says whether it is expanded. */}
      <MenuButton
        label={status === null ? 'Menu' : `Menu, ${statusText(status)}`}
        drawing="M2 4.5h16M2 10h16M2 15.5h16"
      >
        {status !== null && (
          <span className={classes.dot}>
            <StatusShape level={status.status} size={13} />
          </span>
        )}
      </MenuButton>
      <dialog
        id={MENU_ID}
        popover="auto"
        aria-label="Menu"
        className={classes.menu}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <div className={classes.menuHead}>
          <b>Menu</b>
          <MenuButton label="Close menu" drawing="m4 4 12 12M16 4 4 16" />
        </div>
        <Stack component="nav" aria-label="Main" gap="xs">
          {isOpen && status !== null && (
            <Box p="sm" bg="var(--mantine-color-default-hover)" bdrs="md">
              <StatusMark level={status.status} prefix="Meta" />
              <Muted component="div" mt={4}>
                <StatusDetails status={status} />
              </Muted>
            </Box>
          )}
          <Greeting />
          {links.map(({ to, label }) => (
            <Anchor key={to} component={Link} to={to} {...current(to)} {...LINK}>
              {label}
            </Anchor>
          ))}
          <Divider my="xs" />
          <TrialButton fullWidth />
          <LogButton fullWidth />
          <ColorThemeChoice />
        </Stack>
      </dialog>
    </Box>
  );
}

function MenuButton({
  label,
  drawing,
  children,
}: Record<'label' | 'drawing', string> & { children?: ReactNode }) {
  return (
    <button type="button" className={classes.burger} popoverTarget={MENU_ID} aria-label={label}>
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <path {...LINE} d={drawing} strokeWidth="2" />
      </svg>
      {children}
    </button>
  );
}
