#!/bin/sh
# Double-click: opens the workbench. The first time it makes the environment and installs.
cd "$(dirname "$0")" || exit 1
stop() {
  printf '%s\n' "$@"
  printf 'Enter: '
  read -r _
  exit 1
}
python=
for each in python3 python3.14 python3.13 python3.12 python3.11; do
  if command -v "$each" >/dev/null 2>&1 && "$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$each
    break
  fi
done
[ -n "$python" ] || stop 'Python 3.11 以上が見つかりません。https://www.python.org/downloads/ から入れて、もう一度ダブルクリックしてください。' \
  'Python 3.11 or newer is missing. Install it from https://www.python.org/downloads/ and double-click again.'
if ! .venv/bin/python -m exporter serve --help >/dev/null 2>&1; then
  echo '初回の準備をしています（1分ほど）… / Getting ready, about a minute …'
  "$python" -m venv .venv && .venv/bin/python -m pip install --quiet --disable-pip-version-check -e . ||
    stop '準備ができませんでした。インターネットにつながっているか確かめて、もう一度ダブルクリックしてください。' \
      'It could not be made ready. Check the connection to the internet and double-click again.'
fi
exec .venv/bin/python -m exporter serve "$@"
