/** As a click on a link to a file would: the page stays, whatever the answer. */
export function followDownload(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.download = '';
  anchor.click();
}
