import { Text } from '@mantine/core';
import type { LastKnown } from '#contract/shapes.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { ageWords, silenceWords } from './list-age-words.ts';
import { ListNotice } from './list-notice.tsx';

/** Why there is nothing newer is announced once; how old the list has become meanwhile is there to be read. */
export function ListAge({ at, because }: LastKnown) {
  const now = useNow();
  return (
    <ListNotice mb="sm">
      <Text fz="sm">
        <b role="status">{silenceWords(because)}</b> {ageWords(Date.parse(at), now)}
      </Text>
    </ListNotice>
  );
}
