/** Replaces an empty page when the app cannot load; no components are available here. */
export function sayCannotStart(root: HTMLElement): void {
  const words = document.createElement('main');
  words.setAttribute('role', 'alert');
  words.className = 'cannot-start';
  const heading = document.createElement('h1');
  heading.textContent = 'SmartPause couldn’t be loaded';
  const text = document.createElement('p');
  text.textContent = 'Please check your connection and try again.';
  const again = document.createElement('button');
  again.type = 'button';
  again.textContent = 'Try again';
  again.addEventListener('click', () => window.location.reload());
  words.append(heading, text, again);
  root.replaceChildren(words);
  delete root.dataset['prerendered'];
}
