echo 15 > /proc/self/autogroup; cd /tmp/verify; /tmp/zoo-venv/bin/python cases.py pre/dubito-cli
