import { Anchor, Box, Button, Group } from '@mantine/core';
import { Chevron } from '../components/chevron.tsx';
import { HeaderBar } from '../components/layout/header-bar.tsx';
import { LEGAL_PAGES } from '../components/layout/legal-pages.ts';
import { Logo } from '../components/layout/logo.tsx';
import { loginAddress } from '../browser/return-to.ts';
import { LINE } from '../components/line-drawing.ts';
import { StartTrial } from './sections/start-trial.tsx';
import classes from './landing-header.module.css';

const SECTIONS = [
  { href: '#how-it-works', label: 'How it works' },
  { href: '#prices', label: 'Pricing' },
  { href: '#questions', label: 'FAQ' },
];

/** The script adds the return address. */
const LOGIN = loginAddress('/');

/** The header for visitors: native menus, which open before any script loads. */
export function LandingHeader() {
  return (
    <HeaderBar
      home={
        <a href="/" className="plain" aria-label="SmartPause home">
          <Logo />
        </a>
      }
    >
      <Group component="nav" aria-label="Main" gap="xs" visibleFrom="md" wrap="nowrap">
        {SECTIONS.map(({ href, label }) => (
          <Button key={href} component="a" href={href} variant="subtle" color="gray" size="sm">
            {label}
          </Button>
        ))}
        <About />
        <Button component="a" href={LOGIN} variant="default" size="sm">
          Log In
        </Button>
        <StartTrial size="sm" />
      </Group>
      <Box hiddenFrom="md">
        <PhoneMenu />
      </Box>
    </HeaderBar>
  );
}

function About() {
  return (
    <details className={classes.about}>
      <summary>
        About <Chevron />
      </summary>
      <ul>
        {LEGAL_PAGES.map(({ to, label }) => (
          <li key={to}>
            <a href={to}>{label}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

const MENU_ID = 'menu';

function PhoneMenu() {
  return (
    <>
      <button type="button" className={classes.burger} popoverTarget={MENU_ID} aria-label="Open menu">
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <path {...LINE} d="M2 4.5h16M2 10h16M2 15.5h16" strokeWidth="2" />
        </svg>
      </button>
      <dialog id={MENU_ID} popover="auto" aria-label="Menu" className={classes.menu}>
        <div className={classes.menuHead}>
          <b>Menu</b>
          <button
            type="button"
            className={classes.burger}
            popoverTarget={MENU_ID}
            popoverTargetAction="hide"
            aria-label="Close menu"
          >
            <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
              <path {...LINE} d="m4 4 12 12M16 4 4 16" strokeWidth="2" />
            </svg>
          </button>
        </div>
        <nav aria-label="Main">
          {[...SECTIONS, ...LEGAL_PAGES.map(({ to, label }) => ({ href: to, label }))].map(
            ({ href, label }) => (
              <Anchor key={href} href={href} display="block" py={10} c="inherit" fw={550}>
                {label}
              </Anchor>
            ),
          )}
          <StartTrial fullWidth mt="md" />
          <Button component="a" href={LOGIN} variant="default" fullWidth mt="sm">
            Log In
          </Button>
        </nav>
      </dialog>
    </>
  );
}
