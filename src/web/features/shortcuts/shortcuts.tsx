import { Anchor } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { IS_MAC, PALETTE_KEYS, PALETTE_LABEL } from './keys.ts';
import { Palette } from './palette.tsx';
import { shortcutOf } from './shortcut-of.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { hasSingleKeys } from './single-keys.ts';

type Dialog = 'palette' | 'help';

/** The keyboard shortcuts of a user, with their links in the footer. */
export function Shortcuts() {
  const [open, setOpen] = useState<Dialog | null>(null);
  useShortcuts(setOpen);
  const close = () => setOpen(null);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        fz="sm"
        c="dimmed"
        title={PALETTE_LABEL}
        aria-keyshortcuts={PALETTE_KEYS}
        onClick={() => setOpen('palette')}
      >
        Quick search
      </Anchor>
      <Anchor component="button" type="button" fz="sm" c="dimmed" onClick={() => setOpen('help')}>
        Keyboard shortcuts
      </Anchor>
      <Palette opened={open === 'palette'} onClose={close} />
      <ShortcutsDialog opened={open === 'help'} onClose={close} />
    </>
  );
}

function useShortcuts(open: (dialog: Dialog) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const shortcut = shortcutOf(event, {
      isMac: IS_MAC,
      isTyping: event.target instanceof Element && event.target.closest(FIELDS) !== null,
      isBusy: document.querySelector(LAYERS) !== null,
      hasSingleKeys: hasSingleKeys(),
    });
    if (shortcut === null) return;
    event.preventDefault();
    if (shortcut === 'search' && focusSearch()) return;
    open(shortcut === 'help' ? 'help' : 'palette');
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

const WITHOUT_TEXT = ['checkbox', 'radio', 'range', 'button', 'submit']
  .map((type) => `[type=${type}]`)
  .join();
const FIELDS = `input:not(${WITHOUT_TEXT}), textarea, select, [contenteditable], [role=combobox], [role=listbox]`;
const LAYERS = '[role=dialog], [role=alertdialog], [role=menu]';

/** The search box of the page; false if it has none. */
function focusSearch(): boolean {
  const box = document.querySelector<HTMLInputElement>('main search input');
  box?.focus();
  box?.select();
  return box !== null;
}
