export interface PracticePage {
  name: string;
  address: string;
}

/** The server names the control pages of the programs that play the outside world, in a meta element. */
export function practicePages(): PracticePage[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="smartpause-practice"]');
  if (meta === null) return [];
  return meta.content.split(',').flatMap((entry) => {
    const [, name = '', address = ''] = /^([^=]+)=(https?:\/\/.+)$/.exec(entry.trim()) ?? [];
    return address === '' ? [] : [{ name, address }];
  });
}
