import { useSearchParams } from 'react-router';

/** Changes parameters of the address and keeps the others; null removes one. */
export function useSetParams() {
  const [, setParams] = useSearchParams();
  return (changes: Record<string, string | null>, replace = false) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace, preventScrollReset: true },
    );
}
