import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { HELD_ORDERS, HELD_STATES, SEARCH_MAX } from '#contract/admin.ts';
import { useSearchText } from '../../use-search-text.ts';
import type { AdminAddress } from './address.ts';
import classes from './admin.module.css';
import { STATE_FILTER_WORDS } from './held-words.ts';
import type { useAdminAddress } from './use-address.ts';

const ORDER_WORDS = { newest: 'Newest first', oldest: 'Oldest first' };

export interface HeldToolsProps {
  address: AdminAddress;
  narrow: ReturnType<typeof useAdminAddress>['narrow'];
}

/** What the list of holds is narrowed down to. */
export function HeldTools({ address: { person, campaign, state, order }, narrow }: HeldToolsProps) {
  return (
    <search className={classes.tools}>
      <SearchBox
        label="Person"
        placeholder="Name or id"
        value={person}
        onText={(text) => narrow({ person: text }, { replace: true, flushSync: true })}
      />
      <SearchBox
        label="Campaign or ad account"
        placeholder="Campaign’s name, or an id"
        value={campaign}
        onText={(text) => narrow({ campaign: text }, { replace: true, flushSync: true })}
      />
      <NativeSelect
        label="State"
        value={state ?? ''}
        data={[
          { value: '', label: 'All states' },
          ...HELD_STATES.map((value) => ({ value, label: STATE_FILTER_WORDS[value] })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          narrow({ state: HELD_STATES.find((one) => one === value) })
        }
      />
      <NativeSelect
        label="Order"
        value={order ?? 'newest'}
        data={HELD_ORDERS.map((value) => ({ value, label: ORDER_WORDS[value] }))}
        onChange={({ currentTarget: { value } }) =>
          narrow({ order: value === 'oldest' ? 'oldest' : undefined })
        }
      />
    </search>
  );
}

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  onText: (text: string) => void;
}

function SearchBox({ label, placeholder, value, onText }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useSearchText(value, onText);
  const empty = () => {
    setText('');
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      className={classes.searchBox ?? ''}
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={SEARCH_MAX}
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="search"
      onChange={(event) => setText(event.currentTarget.value)}
      rightSection={
        text !== '' && <CloseButton aria-label={`Clear ${label.toLowerCase()}`} onClick={empty} />
      }
    />
  );
}
