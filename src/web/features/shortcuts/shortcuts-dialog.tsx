import './shortcuts-dialog.css';
import { Kbd, Modal, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { IS_MAC } from './keys.ts';
import { hasSingleKeys, keepSingleKeys } from './single-keys.ts';

const SHORTCUTS = [
  { keys: ['/'], what: 'Search campaigns, or open quick search on other pages' },
  { keys: [IS_MAC ? '⌘' : 'Ctrl', 'K'], what: 'Open quick search: pages, ad accounts and campaigns' },
  { keys: ['?'], what: 'Show these shortcuts' },
  { keys: ['Esc'], what: 'Close a dialog or menu' },
];

interface ShortcutsDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function ShortcutsDialog({ opened, onClose }: ShortcutsDialogProps) {
  const [isOn, setOn] = useState(hasSingleKeys);
  const turn = (next: boolean) => {
    keepSingleKeys(next);
    setOn(next);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <dl className="shortcuts">
          {SHORTCUTS.map(({ keys, what }) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <Switch
          checked={isOn}
          onChange={(event) => turn(event.currentTarget.checked)}
          label="Single-key shortcuts"
          description="Turn / and ? off if you use speech input. Stored in this browser."
        />
      </Stack>
    </Modal>
  );
}
