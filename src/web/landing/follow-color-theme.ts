import { chosenColorScheme, drawnColorScheme } from '../start/color-scheme.ts';
import { COLOR_SCHEME_KEY } from '../browser/storage-keys.ts';
import { lasting } from '../browser/storage.ts';

/** Light, dark, or whatever the system has: chosen here or in another tab, and kept as the app keeps it. */
export function followColorTheme(root: HTMLElement): void {
  const choice = root.querySelector<HTMLFieldSetElement>('footer fieldset');
  if (choice === null) return;
  const show = () => {
    const chosen = chosenColorScheme(lasting.read(COLOR_SCHEME_KEY));
    for (const radio of choice.querySelectorAll('input')) radio.checked = radio.value === chosen;
    document.documentElement.dataset['mantineColorScheme'] = drawnColorScheme(chosen);
  };
  choice.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) lasting.write(COLOR_SCHEME_KEY, target.value);
    show();
  });
  window.addEventListener('storage', show);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  show();
  delete choice.dataset['waiting'];
}
