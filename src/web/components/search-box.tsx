import type { TextInputProps } from '@mantine/core';
import { CloseButton, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { Magnifier } from './icons.tsx';

interface SearchBoxProps extends Omit<TextInputProps, 'onChange'> {
  'aria-label': string;
  value: string;
  onText: (text: string) => void;
}

export function SearchBox({ value, onText, ...rest }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const onClear = () => {
    onText('');
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      placeholder="Search"
      leftSection={<Magnifier />}
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="search"
      {...rest}
      value={value}
      onChange={(event) => onText(event.currentTarget.value)}
      rightSection={value !== '' && <CloseButton aria-label="Clear search" onClick={onClear} />}
    />
  );
}
