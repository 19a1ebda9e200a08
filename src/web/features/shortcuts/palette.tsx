import './palette.css';
import { Modal, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { counted } from '#core/labels.ts';
import { useAdAccounts, useAllCampaigns } from '../../lib/queries.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { focusList } from '../../lib/focus-list.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { LEGAL_PAGES } from '../../lib/legal-pages.ts';
import { useOwnPages } from '../auth/own-pages.ts';
import { Muted } from '../../components/muted.ts';
import type { Target, TargetGroup } from './targets.ts';
import { findTargets } from './targets.ts';

const LIST_ID = 'palette-results';
const idOf = (index: number) => `palette-result-${index}`;

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
}

/** Finds pages, ad accounts and campaigns. Not Mantine's Spotlight, which names no selection to screen readers. */
export function Palette({ opened, onClose }: PaletteProps) {
  const [hasChosen, setChosen] = useState(false);
  const navigate = useNavigate();
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setChosen(false);
  }
  const choose = ({ to }: Target) => {
    // The focus goes to the result instead of back.
    setChosen(true);
    onClose();
    void navigate(to);
    focusList();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Quick search"
      size={600}
      yOffset={80}
      centered={false}
      returnFocus={!hasChosen}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Search onChoose={choose} />
    </Modal>
  );
}

function Search({ onChoose }: { onChoose: (target: Target) => void }) {
  const [query, setQuery] = useState('');
  const [wanted, setWanted] = useState(0);
  const { groups, note, hasCampaigns } = useFound(query);
  const targets = groups.flatMap((group) => group.targets);
  const selected = Math.min(wanted, targets.length - 1);
  useEffect(() => {
    document.getElementById(idOf(selected))?.scrollIntoView({ block: 'nearest' });
  }, [selected, query]);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = targets[selected];
    if (target === undefined || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setWanted((selected + step + targets.length) % targets.length);
    else if (event.key === 'Enter') onChoose(target);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        aria-label="Quick search"
        description={hasCampaigns ? 'Pages, ad accounts and campaigns' : 'Pages'}
        placeholder="Search"
        role="combobox"
        aria-expanded
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        {...(selected >= 0 && { 'aria-activedescendant': idOf(selected) })}
        data-autofocus
        size="md"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setWanted(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Muted role="status" mt="xs">
        {note ??
          (targets.length === 0 ? `Nothing matches “${query.trim()}”.` : counted(targets.length, 'result'))}
      </Muted>
      <div id={LIST_ID} role="listbox" aria-label="Results" className="palette">
        {groups.map((group) => (
          <Group
            key={group.label}
            group={group}
            first={targets.indexOf(group.targets[0] as Target)}
            {...{ selected, onChoose }}
          />
        ))}
      </div>
    </>
  );
}

interface GroupProps {
  group: TargetGroup;
  /** The index of its first result. */
  first: number;
  selected: number;
  onChoose: (target: Target) => void;
}

function Group({ group: { label, targets, more }, first, selected, onChoose }: GroupProps) {
  return (
    <div role="group" aria-label={label}>
      <div aria-hidden="true">{label}</div>
      {targets.map((target, index) => (
        <div
          key={target.id}
          id={idOf(first + index)}
          role="option"
          aria-selected={first + index === selected}
          // The focus stays in the search box.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(target)}
        >
          {target.label}
          {target.description !== undefined && <span>{target.description}</span>}
        </div>
      ))}
      {more > 0 && <div aria-hidden="true">{more} more: type more of the name</div>}
    </div>
  );
}

/** The campaigns of all ad accounts are read only for a query. */
function useFound(query: string) {
  const { user } = useAuth();
  const { hasActiveSubscription } = useSubscription();
  const pages = [...useOwnPages(), ...LEGAL_PAGES];
  const hasCampaigns = hasActiveSubscription && user?.isInitialized === true;
  const { data: accounts = [] } = useAdAccounts(hasCampaigns);
  const isAsked = hasCampaigns && query.trim() !== '';
  const { lists, isPending, isError } = useAllCampaigns(isAsked);
  const groups = findTargets(query, { pages, accounts, lists });
  if (isAsked && isPending) return { groups, hasCampaigns, note: 'Loading campaigns…' };
  const failed = 'The campaigns of some ad accounts couldn’t be loaded.';
  return { groups, hasCampaigns, note: isAsked && isError ? failed : null };
}
