import { useMounted } from '@mantine/hooks';

/**
 * The props of a modal or drawer that returns the focus when it closes. It must open only after it was rendered
 * closed. It is inert while it closes: the timer of its focus trap may fire only then.
 */
export function useDialogFocus(isWanted: boolean) {
  const isMounted = useMounted();
  const opened = isWanted && isMounted;
  return { opened, attributes: { content: { inert: !opened } } };
}
